import { fork, type ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { fileURLToPath } from 'node:url'
import { limitedProcess, type ProcessLimits } from './isolation/isolated-command.js'

export interface WorkerExit {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface ForkedWorker {
  child: ChildProcess
  /** Resolves when the process has ended and its messages are delivered. Never rejects. */
  exited: Promise<WorkerExit>
}

const MAX_LINE_LENGTH = 4_096
const CHANNEL_CLOSE_MS = 1_000

export interface ForkOptions {
  /** The complete environment of the worker. */
  environment: Readonly<Record<string, string>>
  limits: ProcessLimits
  /** Receives its output line by line, cut to 4,096 characters. */
  onLine: (line: string) => void
}

/** Starts a compiled worker with a typed-array-safe IPC channel and no terminal. */
export function forkWorker(entry: URL, { environment, limits, onLine }: ForkOptions): ForkedWorker {
  const child = fork(fileURLToPath(entry), [], {
    ...limitedProcess(limits),
    serialization: 'advanced',
    env: { ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  for (const stream of [child.stdout, child.stderr]) if (stream) readLines(stream, onLine)
  // Also emitted when a message cannot be delivered; the exit that follows is handled.
  child.on('error', () => {})
  return { child, exited: awaitExit(child) }
}

/** The end of a process that the server did not end itself, for the operator. */
export function describeExit({ code, signal }: WorkerExit): string {
  if (signal === 'SIGKILL') return 'SIGKILL, as the system sends when memory runs out'
  return signal ?? `exit code ${code}`
}

function awaitExit(child: ChildProcess): Promise<WorkerExit> {
  return new Promise((resolve) => {
    child.once('error', () => {
      if (child.pid === undefined) resolve({ code: null, signal: null })
    })
    child.once('exit', (code, signal) => {
      const finish = () => resolve({ code, signal })
      if (!child.connected) return finish()
      child.once('disconnect', finish)
      setTimeout(finish, CHANNEL_CLOSE_MS).unref()
    })
  })
}

function readLines(stream: Readable, onLine: (line: string) => void): void {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  stream.on('data', (chunk: Buffer) => {
    const lines = (rest + decoder.write(chunk)).split('\n')
    rest = (lines.pop() ?? '').slice(0, MAX_LINE_LENGTH)
    for (const line of lines) onLine(line.slice(0, MAX_LINE_LENGTH))
  })
  stream.on('end', () => {
    if (rest) onLine(rest)
  })
}
