import type { Response } from 'express'
import { traceOf, type RequestTrace } from '../telemetry/request-trace.js'

/** Reports where the time went; does nothing once the headers are sent, as for a stream. */
export function setServerTiming(response: Response): void {
  if (response.headersSent) return
  const { timings, startedAt } = traceOf(response)
  const all = { ...timings, total: performance.now() - startedAt }
  response.setHeader('Server-Timing', Object.entries(all).map(describe).join(', '))
}

/** Adds to the time of a stage; parts that ran in parallel each count. */
export function addTiming({ timings }: RequestTrace, stage: keyof Timings, ms: number): void {
  timings[stage] = (timings[stage] ?? 0) + ms
}

type Timings = RequestTrace['timings']

function describe([stage, ms]: [string, number]): string {
  return `${stage};dur=${ms.toFixed(1)}`
}
