import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

export interface ProgramResult {
  /** Null when a signal ended it. */
  code: number | null
  /** What it printed, both streams. */
  output: string
  stdout: string
}

/** A program that runs, with its result. */
export interface RunningProgram {
  child: ChildProcess
  result: Promise<ProgramResult>
}

/** Starts a program and collects what it prints. */
export function startProgram(
  program: string,
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; cwd?: string } = {},
): RunningProgram {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  let output = ''
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  const result = once(child, 'close').then(([code]) => ({
    code: code as number | null,
    output,
    stdout,
  }))
  return { child, result }
}

/** Runs a program to its end. */
export function runProgram(...args: Parameters<typeof startProgram>): Promise<ProgramResult> {
  return startProgram(...args).result
}
