import { randomBytes } from 'node:crypto'
import type { Request, RequestHandler, Response } from 'express'
import type { AppContext } from '../context.js'
import type { ErrorCode } from '../core/service-error.js'
import type { TimedStage } from '../inference/call.js'
import type { Caller, Capability } from '../organizations/capability.js'

/** What is known of a request while it is answered; logged and counted when the answer is out. */
export interface RequestTrace {
  readonly requestId: string
  /** Pattern of the route, never the path as sent. */
  route: string
  caller?: Caller
  /** Of a call under /v1, once its caller is known. */
  capability?: Capability
  errorCode?: ErrorCode
  /** By the clock of `performance.now`. */
  readonly startedAt: number
  /** Milliseconds by stage. */
  timings: Partial<Record<TimedStage, number>>
  /** Whether the answer is that of an earlier request. */
  replayed?: boolean
}

/** Who is told of requests that have ended. */
export type TraceDeps = Pick<AppContext, 'log' | 'metrics' | 'usage'>

/** Gives every request its id and trace, and logs and counts it at its end. */
export function traceRequests(deps: TraceDeps): RequestHandler {
  return (request, response, next) => {
    const trace: RequestTrace = {
      requestId: `req_${randomBytes(12).toString('hex')}`,
      route: 'unknown',
      startedAt: performance.now(),
      timings: {},
    }
    response.locals.trace = trace
    response.setHeader('X-Request-Id', trace.requestId)
    response.once('close', () => finish(request, response, deps))
    next()
  }
}

export function traceOf(response: Response): RequestTrace {
  return response.locals.trace as RequestTrace
}

function finish(request: Request, response: Response, context: TraceDeps): void {
  const trace = traceOf(response)
  const durationMs = performance.now() - trace.startedAt
  // 499 is the common name of "the client left before the answer".
  const status = response.writableFinished ? response.statusCode : 499
  const environment = trace.caller?.environment ?? 'none'
  context.metrics.requests.inc({
    route: trace.route,
    environment,
    status,
    error: trace.errorCode ?? 'none',
  })
  context.metrics.requestSeconds.observe({ route: trace.route }, durationMs / 1_000)
  countUsage(trace, { status, durationMs, usage: context.usage })
  context.log.info('request', {
    request_id: trace.requestId,
    method: request.method,
    route: trace.route,
    status,
    error: trace.errorCode,
    duration_ms: Math.round(durationMs),
    organization_id: trace.caller?.organizationId,
    environment: trace.caller?.environment,
    key_id: trace.caller?.keyId,
  })
}

function countUsage(
  { caller, capability, errorCode, replayed }: RequestTrace,
  { status, durationMs, usage }: Pick<TraceDeps, 'usage'> & { status: number; durationMs: number },
): void {
  if (!caller || !capability) return
  const { organizationId, environment } = caller
  const answered = errorCode ?? (replayed ? 'replayed' : 'ok')
  const outcome = status === 499 ? 'client_left' : answered
  usage.add({ organizationId, environment, capability, outcome, durationMs })
}
