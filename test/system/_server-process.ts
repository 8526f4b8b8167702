import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { createProfileClient, type ProfileClient } from '../../client/src/index.js'
import { databaseEnvironment, dropTestDatabase } from '../_database.js'

const READY_TIMEOUT_MS = 150_000

export interface ServerProcess {
  baseUrl: string
  apiKey: string
  /** The service as a partner's backend calls it. */
  client: ProfileClient
  dataDir: string
  child: ChildProcess
  /** Everything the process has printed so far. */
  output(): string
  /** Process id of the current model worker of a role. */
  workerPid(role: 'vision' | 'language'): Promise<number>
  post(route: string, body: unknown, headers?: Record<string, string>): Promise<Response>
  /** Sends SIGTERM and resolves with the exit code. */
  stop(): Promise<number | null>
  /** Stops the process if it is still running, and removes the data folder. */
  close(): Promise<void>
}

export interface ServerProcessOptions {
  env?: Record<string, string>
  /** Options of the `serve` command. */
  args?: string[]
  /** Program and arguments to run the server under. */
  wrapper?: string[]
  /** Address that it listens on. Default: 127.0.0.1. */
  host?: string
  /** Called at once, long before the server is ready. */
  onSpawn?: (child: ChildProcess) => void
}

/** Starts the compiled service as a process with the real models and a temporary data folder. */
export async function startServerProcess(
  options: ServerProcessOptions = {},
): Promise<ServerProcess> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'profile-service-system-'))
  const port = await freePort()
  const { host = '127.0.0.1' } = options
  const [program, ...args] = [
    ...(options.wrapper ?? []),
    process.execPath,
    path.resolve('dist/main.js'),
    'serve',
    ...(options.args ?? []),
  ]
  const { NODE_OPTIONS: _jestOnly, ...inherited } = process.env
  const child = spawn(program!, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...inherited,
      DATA_DIR: dataDir,
      PORT: String(port),
      HOST: host,
      LOG_FORMAT: 'json',
      // The models are what these tests are about; test/http/exemplars.test.ts covers the library.
      EXEMPLARS_DIR: 'none',
      // Several threads spin against each other when other tests use the cores.
      LANGUAGE_THREADS: '1',
      ...(await databaseEnvironment(dataDir)),
      ...options.env,
    },
  })
  options.onSpawn?.(child)
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const baseUrl = `http://${host}:${port}`
  await waitUntilReady(baseUrl, child, () => output)
  const apiKey = (await readFile(path.join(dataDir, 'first-key'), 'utf8')).trim()
  return {
    baseUrl,
    apiKey,
    client: createProfileClient({ baseUrl, apiKey }),
    dataDir,
    child,
    output: () => output,
    workerPid: async (role) => {
      const pids = [...output.matchAll(new RegExp(`"role":"${role}","pid":(\\d+)`, 'g'))]
      return Number(pids.at(-1)?.[1])
    },
    post: (route, body, headers = {}) =>
      fetch(baseUrl + route, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${apiKey}`,
          'Content-Type': 'application/json',
          // Most of these tests are about failures, which must not be replaced by synthetic answers.
          'X-Service-Synthetic': 'never',
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
    close: async () => {
      if (child.exitCode === null) child.kill('SIGTERM')
      await ended
      await dropTestDatabase(dataDir)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function waitUntilReady(baseUrl: string, child: ChildProcess, output: () => string) {
  const giveUpAt = Date.now() + READY_TIMEOUT_MS
  while (Date.now() < giveUpAt && child.exitCode === null) {
    const ready = await fetch(`${baseUrl}/readyz`).catch(() => undefined)
    // Logged after the caption embeddings, which are computed once the models are loaded.
    if (ready?.ok && /"msg":"ready"|Ready at/.test(output())) return
    await sleep(100)
  }
  child.kill('SIGKILL')
  throw new Error(`The server did not become ready:\n${output()}`)
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo
      server.close(() => resolve(port))
    })
  })
}
