import { randomBytes } from 'node:crypto'
import type { Request, RequestHandler, Response } from 'express'
import type { Log } from '../telemetry/log.js'
import type { Metrics } from '../telemetry/metrics.js'
import { startTrace, traceOf, type RequestTrace } from '../telemetry/request-trace.js'
import type { UsageRecorder } from '../usage/usage-recorder.js'

export interface TraceDeps {
  log: Log
  metrics: Metrics
  usage: UsageRecorder
}

/** The conventional status of a request whose client closed the connection before the answer. */
const CLIENT_CLOSED_REQUEST = 499

/** Gives every request an id and a trace, and logs and counts it when its response is closed. */
export function traceRequests(deps: TraceDeps): RequestHandler {
  return (request, response, next) => {
    const { requestId } = startTrace(response, newRequestId())
    response.setHeader('X-Request-Id', requestId)
    response.once('close', () => recordRequest(deps, request, response))
    next()
  }
}

/** Identifier of a request, as answers and the log show it. */
export function newRequestId(): string {
  return `req_${randomBytes(12).toString('hex')}`
}

function recordRequest(
  { log, metrics, usage }: TraceDeps,
  request: Request,
  response: Response,
): void {
  const trace = traceOf(response)
  const { requestId, route, caller, errorCode } = trace
  const durationMs = performance.now() - trace.startedAt
  const status = response.writableFinished ? response.statusCode : CLIENT_CLOSED_REQUEST
  const environment = caller?.environment ?? 'none'
  metrics.requests.inc({ route, environment, status, error: errorCode ?? 'none' })
  metrics.requestSeconds.observe({ route }, durationMs / 1_000)
  countUsage(usage, trace, { status, durationMs })
  log.info('request', {
    request_id: requestId,
    method: request.method,
    route,
    status,
    error: errorCode,
    duration_ms: Math.round(durationMs),
    organization_id: caller?.organizationId,
    environment: caller?.environment,
    key_id: caller?.keyId,
  })
}

function countUsage(
  usage: UsageRecorder,
  { caller, capability, errorCode, replayed }: RequestTrace,
  { status, durationMs }: { status: number; durationMs: number },
): void {
  if (!caller || !capability) return
  const { organizationId, environment } = caller
  const answered = errorCode ?? (replayed ? 'replayed' : 'ok')
  const outcome = status === CLIENT_CLOSED_REQUEST ? 'client_left' : answered
  usage.add({ organizationId, environment, capability, outcome, durationMs })
}
