import type { Response } from 'express'
import { traceOf, type RequestTrace } from '../telemetry/request-trace.js'

/** The answer tells where its time went, unless it has begun already, as a stream has. */
export function setServerTiming(response: Response): void {
  if (response.headersSent) return
  const { timings, startedAt } = traceOf(response)
  const all = { ...timings, total: performance.now() - startedAt }
  response.setHeader('Server-Timing', Object.entries(all).map(describe).join(', '))
}

/** Adds up how long a stage took; parts that ran side by side count each. */
export function addTiming({ timings }: RequestTrace, stage: keyof Timings, ms: number): void {
  timings[stage] = (timings[stage] ?? 0) + ms
}

type Timings = RequestTrace['timings']

function describe([stage, ms]: [string, number]): string {
  return `${stage};dur=${ms.toFixed(1)}`
}
