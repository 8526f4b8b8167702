import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { quantile } from '../../statistics/quantile.js'
import type { HealthReport } from './watch-health.js'

const INTERVAL_MS = 100
const TIMEOUT_MS = 30_000

const { url } = workerData as { url: string }
const times: number[] = []
let failures = 0
let isOver = false

parentPort?.once('message', () => {
  isOver = true
})
while (!isOver) {
  const startedAt = performance.now()
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    await response.arrayBuffer()
    if (!response.ok) failures += 1
  } catch {
    failures += 1
  }
  times.push(performance.now() - startedAt)
  await sleep(INTERVAL_MS)
}
const report: HealthReport = {
  polls: times.length,
  failures,
  p99Ms: quantile(times, 0.99),
  maxMs: Math.max(...times),
}
parentPort?.postMessage(report)
