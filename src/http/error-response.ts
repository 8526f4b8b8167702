import type { ErrorRequestHandler, Response } from 'express'
import { errorBody, type ServiceError } from '../core/service-error.js'
import { toServiceError } from '../core/to-service-error.js'
import { traceOf } from '../telemetry/request-trace.js'
import { describeError, type Log } from '../telemetry/log.js'

/** Records in the trace what a request failed with; only an unexpected failure is logged as an error. */
export function noteError(log: Log, response: Response, thrown: unknown): ServiceError {
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
  return error
}

/** Answers with the body and headers of an error. */
export function sendError(response: Response, error: ServiceError): void {
  if (error.retryAfterSeconds !== undefined) {
    response.setHeader('Retry-After', String(error.retryAfterSeconds))
  }
  if (error.status === 401) response.setHeader('WWW-Authenticate', 'Bearer')
  response.status(error.status).json(errorBody(error, traceOf(response).requestId))
}

/** The last middleware: converts anything thrown to an error response. */
export function errorHandler(log: Log): ErrorRequestHandler {
  return (error, _request, response, next) => {
    if (response.headersSent) next(error)
    else sendError(response, noteError(log, response, error))
  }
}
