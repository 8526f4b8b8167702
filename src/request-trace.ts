import { randomBytes } from 'node:crypto'
import type { Request, RequestHandler, Response } from 'express'
import type { ErrorCode } from './errors.js'
import type { TimedStage } from './inference/call.js'
import type { Caller } from './organizations/capability.js'
import type { Log } from './telemetry/log.js'
import type { Metrics } from './telemetry/metrics.js'

/** What is known of a request while it is answered; logged and counted when the answer is out. */
export interface RequestTrace {
  readonly requestId: string
  /** Pattern of the route, never the path as sent. */
  route: string
  caller?: Caller
  errorCode?: ErrorCode
  /** By the clock of `performance.now`. */
  readonly startedAt: number
  /** Milliseconds by stage. */
  timings: Partial<Record<TimedStage, number>>
}

/** Gives every request its id and trace, and logs and counts it at its end. */
export function traceRequests(log: Log, metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    const trace: RequestTrace = {
      requestId: `req_${randomBytes(12).toString('hex')}`,
      route: 'unknown',
      startedAt: performance.now(),
      timings: {},
    }
    response.locals.trace = trace
    response.setHeader('X-Request-Id', trace.requestId)
    response.once('close', () => finish(request, response, { log, metrics }))
    next()
  }
}

export function traceOf(response: Response): RequestTrace {
  return response.locals.trace as RequestTrace
}

interface FinishContext {
  log: Log
  metrics: Metrics
}

function finish(request: Request, response: Response, context: FinishContext): void {
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
