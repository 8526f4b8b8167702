import { fork, type ChildProcess, type ForkOptions } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { fileURLToPath } from 'node:url'

export interface WorkerExit {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface ForkedWorker {
  child: ChildProcess
  /** Resolves when the process has ended and its messages are delivered. Never rejects. */
  exited: Promise<WorkerExit>
}

const SHELL = '/bin/sh'
const MAX_LINE_LENGTH = 4_096
const CHANNEL_CLOSE_MS = 1_000

/**
 * Starts a compiled worker with a typed-array-safe IPC channel and no terminal.
 * @param environment - the complete environment of the worker
 * @param onLine - receives its output line by line, cut to 4,096 characters
 */
export function forkWorker(
  entry: URL,
  environment: Readonly<Record<string, string>>,
  onLine: (line: string) => void,
): ForkedWorker {
  const child = fork(fileURLToPath(entry), [], {
    ...withoutCoreDumps(),
    serialization: 'advanced',
    env: { ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  for (const stream of [child.stdout, child.stderr]) if (stream) readLines(stream, onLine)
  // Also emitted when a message cannot be delivered; the exit that follows is handled.
  child.on('error', () => {})
  return { child, exited: awaitExit(child) }
}

/**
 * A core file of a worker would contain photos and bios. Only a shell can lower the limit before Node runs; `exec` keeps the
 * process id and the IPC channel. No flag of the server reaches the worker.
 */
function withoutCoreDumps(): ForkOptions {
  if (!existsSync(SHELL)) return { execArgv: [] }
  return {
    execPath: SHELL,
    execArgv: ['-c', 'ulimit -c 0; exec "$0" "$@"', process.execPath],
  }
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
