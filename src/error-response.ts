import type { ErrorRequestHandler, Response } from 'express'
import { errorBody, toServiceError } from './errors.js'
import { traceOf } from './request-trace.js'
import { describeError, type Log } from './telemetry/log.js'

/** Answers with the error body and headers of whatever was thrown; only what nobody foresaw is logged as an error. */
export function sendError(log: Log, response: Response, thrown: unknown): void {
  const error = toServiceError(thrown)
  const trace = traceOf(response)
  trace.errorCode = error.code
  if (error.status === 500) {
    log.error('unexpected failure', {
      request_id: trace.requestId,
      route: trace.route,
      ...describeError(error.cause),
    })
  }
  if (error.retryAfterSeconds !== undefined) {
    response.setHeader('Retry-After', String(error.retryAfterSeconds))
  }
  if (error.status === 401) response.setHeader('WWW-Authenticate', 'Bearer')
  response.status(error.status).json(errorBody(error, trace.requestId))
}

/** The last middleware: whatever was thrown becomes an error response. */
export function errorHandler(log: Log): ErrorRequestHandler {
  return (error, _request, response, next) => {
    if (response.headersSent) next(error)
    else sendError(log, response, error)
  }
}
