import type { ErrorCode } from './api-schema.js'

/** The service refused or failed to answer. */
export class ProfileServiceError extends Error {
  /** What a program can rely on. Later versions of the service may send codes this client does not know. */
  readonly code: ErrorCode | (string & {})
  /** HTTP status; 200 when a stream failed after it had begun. */
  readonly status: number
  readonly requestId: string | undefined
  /** Seconds after which a retry can succeed. */
  readonly retryAfterSeconds: number | undefined

  /** @param body - the body of the answer; one without an error code came from a proxy in between */
  constructor(response: Response, body: unknown) {
    const { error, message, request_id } = isErrorBody(body) ? body : UNKNOWN
    super(message)
    this.name = 'ProfileServiceError'
    this.code = error
    this.status = response.status
    this.requestId = request_id ?? response.headers.get('x-request-id') ?? undefined
    const retryAfter = response.headers.get('retry-after') ?? ''
    this.retryAfterSeconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined
  }
}

/** No answer arrived, or not the whole of it. What the service did with the request is unknown. */
export class ConnectionError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ConnectionError'
  }
}

const UNKNOWN = {
  error: 'unknown',
  message: 'The answer has no error code; it may come from a proxy before the service.',
  request_id: undefined,
}

interface ErrorAnswer {
  error: string
  message: string
  request_id: string
}

function isErrorBody(body: unknown): body is ErrorAnswer {
  return (
    typeof body === 'object' &&
    body !== null &&
    'error' in body &&
    typeof body.error === 'string' &&
    'message' in body &&
    typeof body.message === 'string'
  )
}
