import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { PROJECT_FOLDER } from '../../project-folder.js'

const READY_TIMEOUT_MS = 300_000
const MAX_ERROR_CHARACTERS = 2_000

/** A Python program of this folder; it is not compiled, so its path is that of the source. */
export function peerScript(file: string): string {
  return path.join(PROJECT_FOLDER, 'src', 'tools', 'bench', 'peers', file)
}

/** A child process that answers each line of JSON with another. */
export interface PeerProcess {
  /** First line, sent when the process is ready. */
  hello: unknown
  ask: (task: unknown) => Promise<unknown>
  close: () => Promise<void>
}

/** Starts a child process and waits for its first line. */
export async function startPeerProcess(
  command: string,
  args: readonly string[],
): Promise<PeerProcess> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const read = async (): Promise<unknown> => {
    const line = await lines.next()
    if (line.done) throw new Error(`${command} ended; its messages are above.`)
    return JSON.parse(line.value)
  }
  return {
    hello: await read(),
    ask: async (task) => {
      child.stdin.write(`${JSON.stringify(task)}\n`)
      return read()
    },
    close: async () => {
      child.stdin.end()
      await once(child, 'exit')
    },
  }
}

export interface PeerServerOptions {
  command: string
  args: readonly string[]
  env?: Readonly<Record<string, string>>
  /** Answers 200 when the server is ready. */
  readyUrl: string
}

export interface PeerServer {
  close: () => Promise<void>
}

/**
 * Starts a server in a child process and waits until it is ready.
 * @throws with its last messages when it ends or is not ready within five minutes
 */
export async function startPeerServer({
  command,
  args,
  env = {},
  readyUrl,
}: PeerServerOptions): Promise<PeerServer> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  })
  process.once('exit', () => child.kill())
  const readLastMessages = keepEnd(child.stderr)
  const exited = once(child, 'exit')
  const deadline = Date.now() + READY_TIMEOUT_MS
  for (;;) {
    const answer = await fetch(readyUrl).catch(() => undefined)
    if (answer?.ok) break
    const hasEnded = child.exitCode !== null || child.signalCode !== null
    if (hasEnded || Date.now() > deadline) {
      const reason = child.signalCode ?? child.exitCode ?? 'timeout'
      child.kill('SIGKILL')
      throw new Error(`${command} did not get ready (${reason}):\n${readLastMessages()}`)
    }
    await sleep(300)
  }
  return {
    close: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** Reads where a peer is installed from the environment; if the variable is not set, prints how to set it. */
export function findPeer(variable: string, peer: string): string | undefined {
  const location = process.env[variable]
  if (!location) console.error(`▸ Left out: ${peer}. Set ${variable}; see docs/performance.md.`)
  return location || undefined
}

/** Collects a stream. Returns a function that reads its last characters. */
function keepEnd(stream: Readable): () => string {
  let end = ''
  stream.on('data', (chunk) => (end = (end + String(chunk)).slice(-MAX_ERROR_CHARACTERS)))
  return () => end
}
