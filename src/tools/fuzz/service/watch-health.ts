import { Worker } from 'node:worker_threads'

/** Times of `/healthz` in milliseconds. */
export interface HealthReport {
  polls: number
  failures: number
  p99Ms: number
  maxMs: number
}

/** Polls `/healthz` on a thread of its own, which the generation of inputs does not disturb. Returns the end of it. */
export function watchHealth(baseUrl: string): () => Promise<HealthReport> {
  const thread = new Worker(new URL('./health-thread.js', import.meta.url), {
    workerData: { url: `${baseUrl}/healthz` },
  })
  const report = new Promise<HealthReport>((resolve, reject) => {
    thread.once('message', resolve)
    thread.once('error', reject)
  })
  return () => {
    thread.postMessage('end')
    return report
  }
}
