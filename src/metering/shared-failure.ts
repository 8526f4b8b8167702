import { ERROR_STATUS, ServiceError, type ErrorCode } from '../core/service-error.js'

/** An error as text, for the replicas in which duplicates of the failed call wait. */
export function serializeFailure({ code, message, retryAfterSeconds }: ServiceError): string {
  return JSON.stringify({ code, message, retryAfterSeconds })
}

/** The error as it was; `internal_error` for a code that only a newer version knows. */
export function parseFailure(text: string): ServiceError {
  const { code, message, retryAfterSeconds } = JSON.parse(text) as {
    code: string
    message: string
    retryAfterSeconds?: number
  }
  const known = code in ERROR_STATUS ? (code as ErrorCode) : 'internal_error'
  return new ServiceError(known, message, { retryAfterSeconds })
}
