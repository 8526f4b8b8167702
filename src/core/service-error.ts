/** Every error code of the API with its HTTP status. A code without a status does not compile. */
export const ERROR_STATUS = {
  invalid_request: 400,
  invalid_recipient: 400,
  invalid_user: 400,
  unsafe_content: 400,
  photo_unavailable: 400,
  idempotency_key_reused: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  api_key_expired: 401,
  capability_not_allowed: 403,
  not_found: 404,
  method_not_allowed: 405,
  payload_too_large: 413,
  unsupported_media_type: 415,
  quota_exceeded: 429,
  rate_limited: 429,
  internal_error: 500,
  model_unavailable: 503,
  overloaded: 503,
  storage_unavailable: 503,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

/** Default `Retry-After` in seconds, for errors thrown without one. */
const DEFAULT_RETRY_AFTER: Partial<Record<ErrorCode, number>> = {
  rate_limited: 1,
  model_unavailable: 2,
  overloaded: 1,
  storage_unavailable: 5,
}

export interface ServiceErrorOptions {
  cause?: unknown
  /** Whole seconds after which a retry can succeed; becomes the `Retry-After` header. */
  retryAfterSeconds?: number
}

/**
 * An error that is sent to the partner. `message` says what to do next and never repeats request content.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'ServiceError'
    this.code = code
    this.status = ERROR_STATUS[code]
    this.retryAfterSeconds = options.retryAfterSeconds ?? DEFAULT_RETRY_AFTER[code]
  }
}

/** The error body of the interface: every error response has exactly these three fields. */
export interface ErrorBody {
  error: ErrorCode
  message: string
  request_id: string
}

export function errorBody(error: ServiceError, requestId: string): ErrorBody {
  return { error: error.code, message: error.message, request_id: requestId }
}
