import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readConfig } from '../../src/config/config.js'
import { isOnPostgres } from '../_database.js'
import { startPostgres } from '../_start-postgres.js'
import { MISSING_WEIGHTS } from '../_weights.js'
import { ENGINE_KEY, startFakeEngine } from '../inference/language/engines/_fake-engine.js'
import { writeTinyPack } from '../inference/language/engines/_tiny-pack.js'
import {
  openGuardedNetwork,
  whyNoGuardedNetwork,
  type AllowedServer,
  type GuardedNetwork,
} from './_guarded-network.js'
import { matchBody, openersBody, photo, SAM_BIO } from './_profiles.js'
import { startServerProcess, type ServerProcess } from './_server-process.js'
import { spawnVisionWorker } from './_vision-worker-process.js'

const LINES = [
  'Your cat looks ready to supervise the next video call.',
  'What does the cat think of your coffee?',
  'A cat, a climber and good coffee: count me in.',
  'You had me at coffee.',
]
const METRICS_TOKEN = 'metrics-token-of-the-test'

function whyNot(): string | undefined {
  if (isOnPostgres) return 'it brings its own PostgreSQL, and runs beside the tests on SQLite'
  if (MISSING_WEIGHTS.length > 0) return `weights missing: ${MISSING_WEIGHTS.join(', ')}`
  if (!existsSync('/usr/lib/postgresql')) return 'PostgreSQL is not installed'
  return whyNoGuardedNetwork()
}

const reason = whyNot()
const describeInGuardedNetwork = reason === undefined ? describe : describe.skip
const note = reason === undefined ? '' : `NOT RUN, ${reason}: `

describeInGuardedNetwork(`${note}a server that reaches PostgreSQL and its engines alone`, () => {
  const closers: (() => unknown)[] = []
  const env: Record<string, string> = {}
  let folder: string
  let network: GuardedNetwork
  let allowed: Record<'postgres' | 'language' | 'vision', AllowedServer>
  let server: ServerProcess

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'profile-service-network-'))
    closers.push(() => rm(folder, { recursive: true, force: true }))
    network = await openGuardedNetwork()
    closers.push(() => network.close())
    const keyFiles = { language: path.join(folder, 'key'), vision: path.join(folder, 'vision-key') }
    await writeFile(keyFiles.language, ENGINE_KEY)
    await writeFile(keyFiles.vision, 'a-key-of-the-vision-worker')
    await writeFile(path.join(folder, 'secret'), randomBytes(32), { mode: 0o600 })
    const [postgres, language, vision] = await Promise.all([
      opened(startPostgres(), ({ stop }) => stop()),
      opened(startFakeEngine('llama-server', { write: writeLines() }), ({ kill }) => kill()),
      opened(
        spawnVisionWorker({ VISION_API_KEY_FILE: keyFiles.vision, VISION_THREADS: '1' }),
        ({ kill }) => kill(),
      ),
    ])
    const portOf = (url: string) => Number(new URL(url).port)
    allowed = {
      postgres: await network.allow(portOf(postgres.url)),
      language: await network.allow(portOf(language.url)),
      vision: await network.allow(portOf(vision.url)),
    }
    Object.assign(env, {
      DATABASE_URL: `postgres://postgres@${allowed.postgres.host}/postgres`,
      SERVER_SECRET_FILE: path.join(folder, 'secret'),
      MODELS_DIR: await writeModels(path.join(folder, 'models')),
      LLM_PACK: 'tiny',
      LANGUAGE_URL: `http://${allowed.language.host}`,
      LANGUAGE_ENGINE: 'llama-server',
      LANGUAGE_THREADS: '',
      LANGUAGE_API_KEY_FILE: keyFiles.language,
      VISION_URL: `http://${allowed.vision.host}`,
      VISION_PROTOCOL: 'worker',
      VISION_API_KEY_FILE: keyFiles.vision,
      PHOTO_FETCH_TIMEOUT_MS: '1000',
      METRICS_TOKEN,
    })
    server = await startServerProcess({ env, wrapper: network.wrapper, host: network.address })
    closers.push(() => server.close())
  }, 180_000)
  afterAll(async () => {
    for (const close of closers.toReversed()) await close()
  })

  /** Waits until something runs, and ends it after the tests. */
  async function opened<T>(starting: Promise<T>, close: (running: T) => unknown): Promise<T> {
    const running = await starting
    closers.push(() => close(running))
    return running
  }

  const get = (route: string, headers: Record<string, string> = {}) =>
    fetch(server.baseUrl + route, { headers })

  it('answers every documented call, and sends no packet anywhere else', async () => {
    const preferences = await server.post('/v1/profile/infer-preferences', {
      user: { id: 'sam', photos: [await photo('cat'), await photo('coffee')], bio: SAM_BIO },
    })
    const match = await server.post('/v1/match/evaluate', await matchBody())
    const openers = await server.post('/v1/conversation/openers', await openersBody(), {
      Accept: 'text/event-stream',
    })
    expect([preferences.status, match.status, openers.status]).toEqual([200, 200, 200])
    const stream = await openers.text()
    expect(stream).toContain('event: done')
    expect(LINES.some((line) => stream.includes(line))).toBe(true)
    const events = await server.post('/v1/events', [
      {
        ts: new Date().toISOString(),
        end_user_id: randomBytes(32).toString('hex'),
        event: 'opener_sent',
        idempotency_key: randomUUID(),
        context: { originating_request_id: openers.headers.get('x-request-id') },
      },
    ])
    expect(await events.json()).toMatchObject({ accepted: 1 })

    const pages = ['/portal/sign-in', '/docs/', '/openapi.json', '/healthz', '/readyz']
    for (const page of pages) expect([page, (await get(page)).status]).toEqual([page, 200])
    const metrics = await get('/metrics', { Authorization: `Bearer ${METRICS_TOKEN}` })
    expect(await metrics.text()).toContain('pis_engine_call_duration_seconds')
    expect(await admin('key', 'list')).toContain('First key')

    for (const each of Object.values(allowed)) expect(each.connections()).toBeGreaterThan(0)
    expect(network.dropped()).toBe(0)
  }, 60_000)

  it('counts the packets to a photo host, which are dropped', async () => {
    // Names are resolved by a server of the network; this one is an address, and nothing leaves the namespace.
    const body = await openersBody({
      recipient: { id: 'maya', photos: ['https://1.1.1.1/cat.jpg'], bio: SAM_BIO },
    })
    expect((await server.post('/v1/conversation/openers', body)).status).not.toBe(200)
    expect(network.dropped()).toBeGreaterThan(0)
  }, 30_000)

  /** Runs a command as an operator does beside the server, in its network. */
  async function admin(...args: string[]): Promise<string> {
    const [program, ...wrapped] = [...network.wrapper, process.execPath, 'dist/main.js', 'admin']
    const { NODE_OPTIONS: _jestOnly, ...inherited } = process.env
    const { stdout } = await promisify(execFile)(program!, [...wrapped, ...args], {
      env: { ...inherited, ...env, DATA_DIR: server.dataDir },
    })
    return stdout
  }
})

function writeLines(): () => string {
  let count = 0
  return () => `${LINES[count++ % LINES.length]}\n`
}

/** The packs of this machine, and one whose vocabulary the fake engine has. */
async function writeModels(modelsDir: string): Promise<string> {
  await mkdir(modelsDir)
  await writeTinyPack(modelsDir)
  const { packs, modelsDir: from } = readConfig({ ENV_FILE: '' })
  const { llm: _, ...vision } = packs
  for (const name of Object.values(vision)) {
    await symlink(path.join(from, name), path.join(modelsDir, name))
  }
  return modelsDir
}
