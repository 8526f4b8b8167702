import { STATUS_CODES } from 'node:http'
import { errorCode } from '../error-code.js'
import { SourceError } from './source-error.js'

const TRANSIENT_STATUS = new Set([408, 425, 429, 500, 502, 503, 504])
const TRANSIENT_CODES = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT'])
/** A server that asks for a longer wait than this is given up. */
const MAX_WAIT_MS = 60_000

const REASONS: Record<string, string> = {
  ENOTFOUND: 'the name of the server cannot be resolved',
  EAI_AGAIN: 'the name of the server cannot be resolved',
  ECONNREFUSED: 'the server refuses the connection',
  ECONNRESET: 'the connection was cut again and again',
  ETIMEDOUT: 'the server does not answer in time',
  ENETUNREACH: 'there is no route to the server',
  EHOSTUNREACH: 'there is no route to the server',
  ERR_TOO_MANY_REDIRECTS: 'the server redirects more than five times',
}

/** A server answered a download with an error status. */
export class HttpStatusError extends SourceError {
  readonly status: number
  readonly retryAfterMs: number

  constructor(host: string, status: number, retryAfter: string | undefined) {
    super(`${host} answered ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd())
    this.name = 'HttpStatusError'
    this.status = status
    this.retryAfterMs = /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) * 1_000 : 0
  }
}

/** An answer ended before the file did. */
export class DownloadCutError extends SourceError {
  readonly code = 'ECONNRESET'
}

/** Milliseconds to wait before another attempt; undefined when another would not help. */
export function retryDelayMs(error: unknown, backOffMs: number): number | undefined {
  if (error instanceof HttpStatusError) {
    if (!TRANSIENT_STATUS.has(error.status) || error.retryAfterMs > MAX_WAIT_MS) return undefined
    return Math.min(Math.max(error.retryAfterMs, backOffMs), MAX_WAIT_MS)
  }
  return TRANSIENT_CODES.has(errorCode(error) ?? '') ? Math.min(backOffMs, MAX_WAIT_MS) : undefined
}

/**
 * A failed download as a SourceError. Errors of the HTTP library are not kept as its cause: they carry the
 * request headers, and with them the token.
 */
export function toDownloadError(error: unknown, url: string): unknown {
  if (error instanceof SourceError && !(error instanceof DownloadCutError)) return error
  const code = errorCode(error)
  const isNetwork = code !== undefined && (code in REASONS || /^(ERR_|E?CERT|.*_CERT)/.test(code))
  if (!isNetwork) return error
  return new SourceError(`${new URL(url).host}: ${REASONS[code] ?? code}`)
}
