import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PlansFile } from '../../../metering/plans-file.js'
import { CAPABILITIES } from '../../../organizations/capability.js'
import { roundTo } from '../../../text/round-to.js'
import { PROJECT_FOLDER } from '../../project-folder.js'
import { findFreePort } from './find-free-port.js'
import { summarizeProfile, type CpuProfile, type ProfileSummary } from './server-profile.js'

const READY_TIMEOUT_MS = 120_000
const PROFILE_FILE = 'server.cpuprofile'
/** Event-loop delay that Node reports for an idle process: the interval of its timer. */
const DELAY_RESOLUTION_MS = 10
const UNLIMITED = { included: 1e9, soft_cap: 1e9, requests_per_minute: 100_000 }

/** Where a service listens, and a key for it. */
export interface ServiceAddress {
  baseUrl: string
  apiKey: string
}

/** The service in a child process. */
export interface RunningService extends ServiceAddress {
  pid: number
  dataDir: string
  /** Metrics in the Prometheus text format. */
  readMetrics(): Promise<string>
  /** p99 in milliseconds since the last call of this function or of `readMetrics`. */
  readEventLoopDelayP99(): Promise<number>
  /** Stops the service. Returns the profile of the server process, if it was profiled. */
  close(): Promise<ProfileSummary | undefined>
}

interface ServiceOptions {
  /** Profiles the server process, not the workers. */
  isProfiled?: boolean | undefined
  /** Further plans; the key of the service is on one without limits. */
  plans?: PlansFile['plans'] | undefined
}

/**
 * Starts the service in a child process with a temporary data folder and a plan without limits, and waits until it is
 * ready. It ends with this process.
 * @param env - overrides variables of this process
 * @throws when the service is not ready within two minutes
 */
export async function startService(
  env: Readonly<Record<string, string>> = {},
  { isProfiled = false, plans }: ServiceOptions = {},
): Promise<RunningService> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'profile-service-bench-'))
  writePlans(dataDir, plans)
  const [port, metricsPort] = [await findFreePort(), await findFreePort()]
  const entry = path.join(PROJECT_FOLDER, 'dist', 'main.js')
  const profiler = ['--cpu-prof', `--cpu-prof-dir=${dataDir}`, `--cpu-prof-name=${PROFILE_FILE}`]
  const startedAt = performance.now()
  const child = spawn(process.execPath, [...(isProfiled ? profiler : []), entry, 'serve'], {
    cwd: PROJECT_FOLDER,
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
  const exited = once(child, 'exit')
  process.once('exit', () => child.kill())
  const baseUrl = `http://127.0.0.1:${port}`
  await waitUntilReady(baseUrl, child)
  const readyAfterMs = performance.now() - startedAt
  const readMetrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return {
    baseUrl,
    apiKey: readFileSync(path.join(dataDir, 'first-key'), 'utf8').trim(),
    pid: child.pid!,
    dataDir,
    readMetrics,
    readEventLoopDelayP99: async () => {
      const metrics = await readMetrics()
      const seconds = /^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(metrics)?.[1]
      return roundTo(Math.max(Number(seconds) * 1_000 - DELAY_RESOLUTION_MS, 0), 1)
    },
    close: async () => {
      child.kill('SIGTERM')
      await exited
      const profile = isProfiled ? readProfile(dataDir) : undefined
      rmSync(dataDir, { recursive: true, force: true })
      return profile && summarizeProfile(profile, readyAfterMs)
    },
  }
}

/**
 * Writes a plans file whose last plan never refuses a call.
 * @param others - plans before it
 */
export function writePlans(dataDir: string, others: PlansFile['plans'] = {}): void {
  const limits = Object.fromEntries(CAPABILITIES.map((capability) => [capability, UNLIMITED]))
  const plans = { ...others, bench: { test: limits, live: limits } }
  writeFileSync(path.join(dataDir, 'plans.json'), JSON.stringify({ plans }))
}

function readProfile(dataDir: string): CpuProfile {
  return JSON.parse(readFileSync(path.join(dataDir, PROFILE_FILE), 'utf8')) as CpuProfile
}

async function waitUntilReady(baseUrl: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (Date.now() < deadline && child.exitCode === null) {
    const ready = await fetch(`${baseUrl}/readyz`).catch(() => undefined)
    if (ready?.ok) return
    await sleep(200)
  }
  child.kill('SIGKILL')
  throw new Error('The server did not get ready; its messages are above.')
}
