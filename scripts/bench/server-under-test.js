import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { projectDir } from '../prepare.js'
import { CAPABILITIES } from '../../dist/organizations/capability.js'

const READY_TIMEOUT_MS = 120_000
const NO_LIMITS = { included: 1e9, soft_cap: 1e9, requests_per_minute: 100_000 }

/**
 * Starts the service in a process of its own, with a throw-away data folder and a plan that refuses nothing, and waits
 * until it is ready.
 * @param {Record<string, string>} [env]
 */
export async function startServer(env = {}) {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'profile-service-bench-'))
  const limits = Object.fromEntries(CAPABILITIES.map((capability) => [capability, NO_LIMITS]))
  const plans = { bench: { test: limits, live: limits } }
  writeFileSync(path.join(dataDir, 'plans.json'), JSON.stringify({ plans }))
  const [port, metricsPort] = [await freePort(), await freePort()]
  const entry = path.join(projectDir, 'dist', 'main.js')
  const child = spawn(process.execPath, [entry, 'serve'], {
    cwd: projectDir,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      LOG_LEVEL: 'warn',
      ...env,
    },
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  process.once('exit', () => child.kill())
  const baseUrl = `http://127.0.0.1:${port}`
  await waitUntilReady(baseUrl, child)
  const apiKey = readFileSync(path.join(dataDir, 'first-key'), 'utf8').trim()
  return {
    baseUrl,
    apiKey,
    pid: child.pid,
    dataDir,
    /** @returns {Promise<string>} */
    metrics: async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text(),
    close: async () => {
      child.kill('SIGTERM')
      await ended
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * @param {string} baseUrl
 * @param {import('node:child_process').ChildProcess} child
 */
async function waitUntilReady(baseUrl, child) {
  const giveUpAt = Date.now() + READY_TIMEOUT_MS
  while (Date.now() < giveUpAt && child.exitCode === null) {
    const ready = await fetch(`${baseUrl}/readyz`).catch(() => undefined)
    if (ready?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  child.kill('SIGKILL')
  throw new Error('The server did not get ready; its messages are above.')
}

/** @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
