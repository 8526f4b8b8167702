import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { transform } from '@swc/core'
import { openDatabase, type Database } from '../../src/database/open-database.js'
import { readServerSecret, type ServerSecret } from '../../src/organizations/server-secret.js'
import { dropTestDatabase, postgresOf } from '../_database.js'
import { freePort, sleep } from './_server-process.js'

const READY_TIMEOUT_MS = 60_000
const METRICS_TOKEN = 'a-token-for-metrics'

/** A server process that shares a PostgreSQL database with others. */
export interface ReplicaProcess {
  baseUrl: string
  /** Undefined unless this one has created the first organisation. */
  firstKey(): Promise<string | undefined>
  /** Starts the process; resolves when it is ready. */
  start(): Promise<void>
  /** Its language model does not answer until it is released. */
  hold(): void
  release(): void
  /** Calls that it has admitted and not answered. */
  countRunning(): Promise<number>
  signal(name: 'SIGTERM' | 'SIGKILL'): void
  /** Exit code, once it has ended. */
  ended(): Promise<number | null>
  /** Everything that its last process has printed. */
  output(): string
}

export interface Replicas {
  replicas: ReplicaProcess[]
  db: Database
  secret: ServerSecret
  /** Ends all processes and deletes their database and folders. */
  close(): Promise<void>
}

/** Starts servers at the same time on an empty database. They compute nothing: their models have no weights. */
export async function startReplicas(count: number): Promise<Replicas> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'replicas-'))
  const postgres = (await postgresOf(folder))!
  const secretFile = path.join(folder, 'server-secret')
  await writeFile(secretFile, randomBytes(32), { mode: 0o600 })
  const models = await compileFakeModels(folder)
  const env = {
    DATABASE_URL: postgres.url,
    DATABASE_POOL: '5',
    SERVER_SECRET_FILE: secretFile,
    LOG_FORMAT: 'json',
    METRICS_TOKEN,
    EXEMPLARS_DIR: 'none',
    ENV_FILE: '',
  }
  const replicas = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const dataDir = path.join(folder, `replica-${index}`)
      await mkdir(dataDir)
      return createReplica({ dataDir, models, env, port: await freePort() })
    }),
  )
  let db: Database | undefined
  const close = async () => {
    for (const replica of replicas) replica.signal('SIGKILL')
    await Promise.all(replicas.map((replica) => replica.ended()))
    await db?.destroy()
    await dropTestDatabase(folder)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await Promise.all(replicas.map((replica) => replica.start()))
    db = await openDatabase(folder, { postgres })
    return { replicas, db, secret: await readServerSecret(folder), close }
  } catch (error) {
    await close()
    throw error
  }
}

interface ReplicaSettings {
  dataDir: string
  models: string
  env: Record<string, string>
  port: number
}

function createReplica({ dataDir, models, env, port }: ReplicaSettings): ReplicaProcess {
  const holdFile = path.join(dataDir, 'hold')
  const baseUrl = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  let end = Promise.resolve<number | null>(null)
  let output = ''

  async function start(): Promise<void> {
    output = ''
    const { NODE_OPTIONS: _jestOnly, ...inherited } = process.env
    const started = spawn(
      process.execPath,
      [path.resolve('test/system/_replica-process.mjs'), models, holdFile],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...inherited, ...env, DATA_DIR: dataDir, PORT: String(port) },
      },
    )
    child = started
    for (const stream of [started.stdout, started.stderr]) {
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    }
    end = new Promise((resolve) => started.once('exit', resolve))
    const giveUpAt = Date.now() + READY_TIMEOUT_MS
    while (!(await fetch(`${baseUrl}/readyz`).catch(() => undefined))?.ok) {
      if (Date.now() > giveUpAt || started.exitCode !== null || started.signalCode !== null) {
        throw new Error(`The server did not become ready:\n${output}`)
      }
      await sleep(50)
    }
  }

  return {
    baseUrl,
    start,
    firstKey: async () => {
      const file = path.join(dataDir, 'first-key')
      return existsSync(file) ? (await readFile(file, 'utf8')).trim() : undefined
    },
    hold: () => writeFileSync(holdFile, ''),
    release: () => rmSync(holdFile, { force: true }),
    countRunning: async () => {
      const headers = { Authorization: `Bearer ${METRICS_TOKEN}` }
      const text = await (await fetch(`${baseUrl}/metrics`, { headers })).text()
      const gauges = text.matchAll(/^pis_requests_(?:in_progress|waiting)\{.*\} (\d+)$/gm)
      return [...gauges].reduce((sum, [, value]) => sum + Number(value), 0)
    },
    signal: (name) => void child?.kill(name),
    ended: () => end,
    output: () => output,
  }
}

/** Compiles the models of the HTTP tests for a process that runs the compiled service. */
async function compileFakeModels(folder: string): Promise<string> {
  const source = await readFile(path.resolve('test/http/_fake-models.ts'), 'utf8')
  const { code } = await transform(source, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  })
  const file = path.join(folder, 'fake-models.mjs')
  const compiled = pathToFileURL(path.resolve('dist')).href
  await writeFile(file, code.replaceAll('../../src', compiled))
  return pathToFileURL(file).href
}
