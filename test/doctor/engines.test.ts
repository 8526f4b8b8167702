import type http from 'node:http'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { readConfig, type Config } from '../../src/config/config.js'
import { listChecks } from '../../src/doctor/all-checks.js'
import { listLanguageEngineChecks } from '../../src/doctor/checks/language-engines.js'
import { listVisionEngineChecks } from '../../src/doctor/checks/vision-engines.js'
import type { Check } from '../../src/doctor/check.js'
import { describePacks } from '../../src/inference/encoder/vision-properties.js'
import { createVisionServer } from '../../src/inference/engines/worker/serve-vision.js'
import { openVisionPacks } from '../../src/inference/open-vision.js'
import { describeWithWeights, MISSING_WEIGHTS } from '../_weights.js'
import {
  ENGINE_KEY,
  startFakeEngine,
  type FakeBehaviour,
} from '../inference/language/engines/_fake-engine.js'
import { writeTinyPack } from '../inference/language/engines/_tiny-pack.js'
import { startKServeServer } from '../inference/engines/_kserve-server.js'
import { createRecordingLog } from '../inference/workers/_fixture-host.js'
import { freePort } from '../system/_server-process.js'

const WRONG_KEY = 'a-key-of-another-engine'

let folder: string
const closers: (() => unknown)[] = []
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'doctor-engines-'))
  await writeTinyPack(folder)
  await writeFile(path.join(folder, 'key'), ENGINE_KEY)
  await writeFile(path.join(folder, 'wrong-key'), WRONG_KEY)
})
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})
afterAll(() => rm(folder, { recursive: true }))

/** What the checks of a configuration find, without the keys of engines. */
async function examine(list: (config: Config) => Check[], config: Config) {
  const checks = list(config)
  const findings = []
  for (const { name, run } of checks) findings.push({ name, ...(await run(config)) })
  expect(JSON.stringify(findings)).not.toMatch(new RegExp(`${ENGINE_KEY}|${WRONG_KEY}`))
  return findings
}

describe('the doctor with LANGUAGE_URL', () => {
  const configOf = (urls: string[], env: Record<string, string> = {}) =>
    readConfig({
      ENV_FILE: '',
      LLM_PACK: 'tiny',
      MODELS_DIR: folder,
      LANGUAGE_URL: urls.join(','),
      LANGUAGE_ENGINE: 'llama-server',
      LANGUAGE_API_KEY_FILE: path.join(folder, 'key'),
      ...env,
    })

  async function start(changes: Partial<FakeBehaviour> = {}) {
    const engine = await startFakeEngine('llama-server', changes)
    closers.push(engine.kill)
    return engine
  }

  it('says of each engine whether it serves the model of the pack, and how busy it is', async () => {
    const metrics =
      '# TYPE llamacpp:requests_processing gauge\nllamacpp:requests_processing 7\nllamacpp:requests_deferred 2\n'
    const urls = [(await start({ metrics })).url, (await start()).url]
    const other = await start({ model: 'other.gguf' })
    const failing = await start({ status: 500 })
    const findings = await examine(
      listLanguageEngineChecks,
      configOf([...urls, other.url, failing.url, `http://127.0.0.1:${await freePort()}`]),
    )
    expect(findings).toEqual([
      {
        name: 'language engine 1 of 5',
        status: 'ok',
        found: expect.stringMatching(
          /^http:\S+ serves the model of tiny, 7 texts in generation and 2 waiting, checked in \d+ ms$/,
        ),
      },
      {
        name: 'language engine 2 of 5',
        status: 'ok',
        found: expect.stringContaining('does not say how busy'),
      },
      {
        name: 'language engine 3 of 5',
        status: 'failed',
        found: `${other.url}: its model file is not named tiny.gguf`,
        fix: expect.stringContaining('LLM_PACK'),
      },
      {
        name: 'language engine 4 of 5',
        status: 'failed',
        found: expect.stringContaining('HTTP 500'),
        fix: expect.stringContaining('its log'),
      },
      {
        name: 'language engine 5 of 5',
        status: 'failed',
        found: expect.stringContaining('ECONNREFUSED'),
        fix: expect.stringContaining('Start it'),
      },
    ])
  })

  it('says when an engine refuses the key', async () => {
    const { url } = await start()
    const wrongKey = { LANGUAGE_API_KEY_FILE: path.join(folder, 'wrong-key') }
    expect(await examine(listLanguageEngineChecks, configOf([url], wrongKey))).toMatchObject([
      { status: 'failed', found: expect.stringContaining('the key in LANGUAGE_API_KEY_FILE') },
    ])
  })

  it('says when the vocabulary of the pack is missing', async () => {
    const { url } = await start()
    const [check] = listLanguageEngineChecks(configOf([url]))
    await expect(check!.run(configOf([url], { LLM_PACK: 'no-such-pack' }))).rejects.toThrow(
      'no-such-pack',
    )
  })
})

describeWithWeights('the doctor with VISION_URL', MISSING_WEIGHTS, () => {
  const configOf = (urls: string[], env: Record<string, string> = {}) =>
    readConfig({
      ENV_FILE: '',
      VISION_URL: urls.join(','),
      VISION_PROTOCOL: 'worker',
      VISION_API_KEY_FILE: path.join(folder, 'wrong-key'),
      ...env,
    })

  async function startWorker({
    revision,
    state = 'ready' as 'ready' | 'starting',
  }: {
    revision?: string
    state?: 'ready' | 'starting'
  } = {}) {
    const config = readConfig({ ENV_FILE: '' })
    const { packs, properties } = describePacks(await openVisionPacks(config, config.packs))
    const server: http.Server = createVisionServer({
      host: {
        call: () => Promise.reject(new Error('not asked for')),
        state: () => state,
        load: () => ({ running: 4, waiting: 9 }),
        info: () => ({
          packs,
          device: 'cpu',
          threads: 2,
          properties: { ...properties, ...(revision !== undefined && { revision }) },
          isolation: { ownNetwork: false, filtered: false, reason: 'a test' },
        }),
      },
      apiKey: WRONG_KEY,
      bodiesLimitBytes: 1_000,
      requestTimeoutMs: 1_000,
      log: createRecordingLog(),
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closers.push(() => server.close())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  it('says of each worker whether it has the packs, and how busy it is', async () => {
    const urls = [
      await startWorker(),
      await startWorker({ revision: 'other@1' }),
      await startWorker({ state: 'starting' }),
      `http://127.0.0.1:${await freePort()}`,
    ]
    const findings = await examine(listVisionEngineChecks, configOf(urls))
    expect(findings).toMatchObject([
      {
        name: 'vision engine 1 of 4',
        status: 'ok',
        found: `${urls[0]} serves these packs with 2 threads on cpu; 4 calls in progress, 9 waiting`,
      },
      { status: 'failed', found: expect.stringContaining('give it the same packs') },
      { status: 'failed', found: expect.stringContaining('is not ready (503)') },
      { status: 'failed', found: expect.stringContaining('ECONNREFUSED') },
    ])
  })

  it('says when a worker refuses the key', async () => {
    const config = configOf([await startWorker()], { VISION_API_KEY_FILE: '' })
    expect(await examine(listVisionEngineChecks, config)).toMatchObject([
      { status: 'failed', found: expect.stringContaining('VISION_API_KEY_FILE') },
    ])
  })

  it('says whether a KServe engine has the models of the packs', async () => {
    const kserve = { VISION_PROTOCOL: 'kserve' }
    const { clip, photoSafety, bioSafety, match } = await openVisionPacks(
      configOf(['http://engine']),
      configOf(['http://engine']).packs,
    )
    const models = [
      { name: `${clip.name}-vision`, file: clip.clip.vision.model },
      { name: `${clip.name}-text`, file: clip.clip.text.model },
      { name: photoSafety.name, file: photoSafety.photoSafety.model },
      { name: bioSafety.name, file: bioSafety.bioSafety.text.model },
    ]
    const other = { name: match.name, file: match.match.text.model }
    const urls: string[] = []
    for (const parameters of [undefined, { pack_revision: '000000000000' }]) {
      const last = { ...other, ...(parameters && { parameters }) }
      const server = await startKServeServer({ models: [...models, last], apiKey: WRONG_KEY })
      closers.push(() => server.kill())
      urls.push(server.url)
    }
    expect(await examine(listVisionEngineChecks, configOf(urls, kserve))).toMatchObject([
      { status: 'ok', found: expect.stringContaining('has the 5 models') },
      { status: 'failed', found: expect.stringContaining('another revision') },
    ])
  }, 30_000)
})

it('the doctor checks engines and PostgreSQL only where they are configured', () => {
  const names = (env: Record<string, string>) =>
    listChecks(readConfig({ ENV_FILE: '', ...env })).map(({ name }) => name)
  const usual = names({})
  expect(usual).toContain('model loading')
  expect(usual.join()).not.toMatch(/engine|connections|durability/)
  const all = names({
    DATABASE_URL: 'postgres://db/service',
    LANGUAGE_URL: 'http://a,http://b',
    LANGUAGE_ENGINE: 'llama-server',
    VISION_URL: 'http://c',
  })
  expect(all.filter((name) => !usual.includes(name))).toEqual([
    'database connections',
    'database durability',
    'language engine 1 of 2',
    'language engine 2 of 2',
    'vision engine 1 of 1',
  ])
})
