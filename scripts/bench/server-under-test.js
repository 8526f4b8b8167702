import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { projectDir } from '../prepare.js'
import { summarizeProfile } from './server-profile.js'
import { roundTo } from './statistics.js'
import { CAPABILITIES } from '../../dist/organizations/capability.js'

const READY_TIMEOUT_MS = 120_000
const PROFILE = 'server.cpuprofile'
/** What Node's measure of the event loop's delay shows of one that is idle: the interval of its timer. */
const DELAY_RESOLUTION_MS = 10
const NO_LIMITS = { included: 1e9, soft_cap: 1e9, requests_per_minute: 100_000 }

/**
 * Starts the service in a process of its own, with a throw-away data folder and a plan that refuses nothing, and waits
 * until it is ready.
 * @param {Record<string, string>} [env]
 * @param {{ isProfiled?: boolean }} [options] - of the server process, not of the workers
 */
export async function startServer(env = {}, { isProfiled = false } = {}) {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'profile-service-bench-'))
  const limits = Object.fromEntries(CAPABILITIES.map((capability) => [capability, NO_LIMITS]))
  const plans = { bench: { test: limits, live: limits } }
  writeFileSync(path.join(dataDir, 'plans.json'), JSON.stringify({ plans }))
  const [port, metricsPort] = [await freePort(), await freePort()]
  const entry = path.join(projectDir, 'dist', 'main.js')
  const profiler = ['--cpu-prof', `--cpu-prof-dir=${dataDir}`, `--cpu-prof-name=${PROFILE}`]
  const startedAt = performance.now()
  const child = spawn(process.execPath, [...(isProfiled ? profiler : []), entry, 'serve'], {
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
  const readyAfterMs = performance.now() - startedAt
  const apiKey = readFileSync(path.join(dataDir, 'first-key'), 'utf8').trim()
  /** @returns {Promise<string>} */
  const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return {
    baseUrl,
    apiKey,
    pid: child.pid,
    dataDir,
    metrics,
    /** p99 in milliseconds since it was last asked, or `metrics` were. */
    eventLoopDelayP99: async () => {
      const seconds = /^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(await metrics())?.[1]
      return roundTo(Math.max(Number(seconds) * 1_000 - DELAY_RESOLUTION_MS, 0), 1)
    },
    /** Ends it, and gives what a profile of it says, if there is one. */
    close: async () => {
      child.kill('SIGTERM')
      await ended
      const profile = isProfiled ? readFileSync(path.join(dataDir, PROFILE), 'utf8') : undefined
      rmSync(dataDir, { recursive: true, force: true })
      return profile && summarizeProfile(JSON.parse(profile), readyAfterMs)
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
