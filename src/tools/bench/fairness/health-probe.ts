import http from 'node:http'
import { quantile } from '../../statistics/quantile.js'

const INTERVAL_MS = 50
/** A probe that has waited so long at the end has failed. */
const UNANSWERED_MS = 100

export interface HealthSummary {
  probes: number
  /** Probes that were not answered with 200. */
  failed: number
  p99Ms: number
  maxMs: number
}

/**
 * Asks `/healthz` every 50 ms on a connection of its own, one probe at a time: a probe that is not answered counts with the time
 * that it has waited.
 * @returns ends the probing
 */
export function startHealthProbe(baseUrl: string): () => HealthSummary {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  let failed = 0
  let sentAt: number | undefined
  const settle = (isHealthy: boolean) => {
    if (sentAt === undefined) return
    times.push(performance.now() - sentAt)
    if (!isHealthy) failed += 1
    sentAt = undefined
  }
  const probe = () => {
    if (sentAt !== undefined) return
    sentAt = performance.now()
    const request = http.get(`${baseUrl}/healthz`, { agent }, (response) => {
      response.resume().once('end', () => settle(response.statusCode === 200))
    })
    request.once('error', () => settle(false))
  }
  const timer = setInterval(probe, INTERVAL_MS)
  return () => {
    clearInterval(timer)
    const waitedMs = sentAt === undefined ? 0 : performance.now() - sentAt
    if (waitedMs > INTERVAL_MS) settle(waitedMs < UNANSWERED_MS)
    sentAt = undefined
    agent.destroy()
    return { probes: times.length, failed, p99Ms: quantile(times, 0.99), maxMs: quantile(times, 1) }
  }
}
