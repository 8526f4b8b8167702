import { STATUS_CODES } from 'node:http'
import { ServiceError } from './service-error.js'

/** The errors of body-parser and http-errors for a bad request; `type` is missing when decompression failed. */
interface HttpParserError {
  /** 400 to 499. */
  status: number
  type?: unknown
}

/** Converts anything thrown to a ServiceError; an unexpected error becomes `internal_error` without detail. */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown
  if (isHttpParserError(thrown)) return fromParserError(thrown)
  return new ServiceError(
    'internal_error',
    'The service failed to answer. The request is safe to retry.',
    { cause: thrown },
  )
}

function isHttpParserError(thrown: unknown): thrown is HttpParserError {
  if (!(thrown instanceof Error && 'status' in thrown && typeof thrown.status === 'number')) {
    return false
  }
  return thrown.status >= 400 && thrown.status < 500
}

function fromParserError(error: HttpParserError): ServiceError {
  switch (error.type) {
    case 'entity.too.large':
      return new ServiceError('payload_too_large', 'The body is larger than this path accepts.')
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new ServiceError('unsupported_media_type', 'Send the form in UTF-8.')
  }
  return new ServiceError(
    'invalid_request',
    `The request could not be read (${STATUS_CODES[error.status] ?? 'bad request'}).`,
  )
}
