import type { ServerResponse } from 'node:http'
import type { Response } from 'express'
import type { ErrorCode } from '../core/service-error.js'
import type { Caller, Capability } from '../organizations/capability.js'

/** Stages whose time `Server-Timing` reports: the wait for a free slot, and the two model workers. */
export type TimedStage = 'queue' | 'vision' | 'language'

/** What is known of a request while it is answered; logged and counted once the response is closed. */
export interface RequestTrace {
  readonly requestId: string
  /** Pattern of the route, never the path as sent. */
  route: string
  caller?: Caller
  /** Set for a call under /v1 once its caller is known. */
  capability?: Capability
  errorCode?: ErrorCode
  /** From `performance.now()`. */
  readonly startedAt: number
  /** Milliseconds by stage. */
  readonly timings: Partial<Record<TimedStage, number>>
  /** Whether the answer repeats that of an earlier request. */
  replayed?: boolean
}

/** Attaches a trace to a response that has none yet. */
export function startTrace(response: Response, requestId: string): RequestTrace {
  const trace: RequestTrace = {
    requestId,
    route: 'unknown',
    startedAt: performance.now(),
    timings: {},
  }
  response.locals.trace = trace
  return trace
}

export function traceOf(response: Response): RequestTrace {
  return response.locals.trace as RequestTrace
}

/** Whether the request came with a valid API key. */
export function isFromKnownCaller(response: ServerResponse): boolean {
  const { locals } = response as Partial<Response>
  return (locals?.trace as RequestTrace | undefined)?.caller !== undefined
}
