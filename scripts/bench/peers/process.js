import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

const READY_TIMEOUT_MS = 300_000
const KEPT_CHARACTERS = 2_000

/**
 * A process that answers each line of JSON with one.
 * @param {string} command
 * @param {string[]} args
 */
export async function startPeerProcess(command, args) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const read = async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`${command} ended; its messages are above.`)
    return JSON.parse(value)
  }
  return {
    hello: await read(),
    ask: async (/** @type {unknown} */ task) => {
      child.stdin.write(`${JSON.stringify(task)}\n`)
      return read()
    },
    close: async () => {
      child.stdin.end()
      await once(child, 'exit')
    },
  }
}

/**
 * A server in a process of its own, once its address answers.
 * @param {{ command: string, args: string[], env?: Record<string, string>, readyUrl: string }} peer
 */
export async function startPeerServer({ command, args, env = {}, readyUrl }) {
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  })
  process.once('exit', () => child.kill())
  const messages = keepEnd(child.stderr)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const giveUpAt = Date.now() + READY_TIMEOUT_MS
  for (;;) {
    const answer = await fetch(readyUrl).catch(() => undefined)
    if (answer?.ok) break
    const hasEnded = child.exitCode !== null || child.signalCode !== null
    if (hasEnded || Date.now() > giveUpAt) {
      child.kill('SIGKILL')
      const end = child.signalCode ?? child.exitCode ?? 'too slow'
      throw new Error(`${command} did not get ready (${end}):\n${messages()}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  return {
    pid: child.pid,
    close: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/**
 * The location of a peer from the environment; says how to give it where it is missing.
 * @param {string} variable
 * @param {string} what
 */
export function findPeer(variable, what) {
  const location = process.env[variable]
  if (!location) console.error(`▸ Left out: ${what}. Set ${variable}; see docs/performance.md.`)
  return location || undefined
}

/** The last of what a stream says. */
function keepEnd(/** @type {import('node:stream').Readable} */ stream) {
  let end = ''
  stream.on('data', (chunk) => (end = (end + chunk).slice(-KEPT_CHARACTERS)))
  return () => end
}
