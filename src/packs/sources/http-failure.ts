import { STATUS_CODES } from 'node:http'
import { errorCode } from '../../core/error-code.js'
import { SourceError } from './source-error.js'

const TRANSIENT_STATUS = new Set([408, 425, 429, 500, 502, 503, 504])
const TRANSIENT_CODES = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT'])
/** If the server asks for a longer wait, the download fails. */
const MAX_WAIT_MS = 60_000

const REASONS: Record<string, string> = {
  ENOTFOUND: 'the host name cannot be resolved',
  EAI_AGAIN: 'the host name cannot be resolved',
  ECONNREFUSED: 'the server refuses connections',
  ECONNRESET: 'the connection was interrupted repeatedly',
  ETIMEDOUT: 'the server does not respond in time',
  ENETUNREACH: 'there is no route to the server',
  EHOSTUNREACH: 'there is no route to the server',
  ERR_TOO_MANY_REDIRECTS: 'the server redirects more than five times',
}

/** The server responded with an error status. */
export class HttpStatusError extends SourceError {
  readonly status: number
  readonly retryAfterMs: number

  constructor(host: string, status: number, retryAfter: string | undefined) {
    super(`${host} responded with ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd())
    this.name = 'HttpStatusError'
    this.status = status
    this.retryAfterMs = /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) * 1_000 : 0
  }
}

/** A response ended before the end of the file. */
export class DownloadInterruptedError extends SourceError {
  readonly code = 'ECONNRESET'
}

/** Returns the delay before the next attempt; undefined if another attempt would not help. */
export function retryDelayMs(error: unknown, backOffMs: number): number | undefined {
  if (error instanceof HttpStatusError) {
    if (!TRANSIENT_STATUS.has(error.status) || error.retryAfterMs > MAX_WAIT_MS) return undefined
    return Math.min(Math.max(error.retryAfterMs, backOffMs), MAX_WAIT_MS)
  }
  return TRANSIENT_CODES.has(errorCode(error) ?? '') ? Math.min(backOffMs, MAX_WAIT_MS) : undefined
}

/**
 * Converts the error of a failed download to a SourceError; returns unexpected errors unchanged. The HTTP library's
 * errors are not kept as cause, because they contain the request headers and thus the token.
 */
export function toDownloadError(error: unknown, url: string): unknown {
  if (error instanceof SourceError && !(error instanceof DownloadInterruptedError)) return error
  const code = errorCode(error)
  const isNetwork = code !== undefined && (code in REASONS || /^(ERR_|E?CERT|.*_CERT)/.test(code))
  if (!isNetwork) return error
  return new SourceError(`${new URL(url).host}: ${REASONS[code] ?? code}`)
}
