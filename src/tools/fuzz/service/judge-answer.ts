import { z } from 'zod'
import { ERROR_STATUS, type ErrorCode } from '../../../core/service-error.js'
import { Finding } from '../finding.js'
import type { Outcome } from '../fuzz-target.js'
import type { FuzzAnswer } from './send-request.js'

/** Enough for five problems by name; an answer never repeats a body. */
const MAX_ERROR_BYTES = 4_000
const QUOTA_HEADERS = [
  'x-service-plan',
  'x-service-capability',
  'x-service-quota-used',
  'x-service-quota-included',
]

const errorSchema = z.strictObject({
  error: z.enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]),
  message: z.string().min(1),
  request_id: z.string().regex(/^req_[0-9a-z]+$/),
})

/** Codes of answers for which models may have worked. */
const AFTER_WORK: ReadonlySet<ErrorCode> = new Set(['unsafe_content', 'photo_unavailable'])

/**
 * Judges an answer of a call: a documented status, the error body of the interface, quota headers, and nothing that says that a
 * part of the service failed.
 * @throws Finding
 */
export function judgeAnswer({ status, headers, text }: FuzzAnswer): Outcome {
  for (const name of QUOTA_HEADERS) {
    if (headers[name] === undefined) throw new Finding(`${status} without ${name}`)
  }
  if (status === 200) {
    judgeStream(text)
    return 'answered'
  }
  const error = parseError(status, text)
  if (ERROR_STATUS[error] !== status) throw new Finding(`${status} with the code ${error}`)
  if (error === 'internal_error') throw new Finding('500 internal_error')
  if (error === 'model_unavailable') throw new Finding('503: a model worker failed')
  if ((status === 503 || error === 'rate_limited') && headers['retry-after'] === undefined) {
    throw new Finding(`${status} without Retry-After`)
  }
  return AFTER_WORK.has(error) ? 'answered' : 'refused'
}

/** A stream that began with 200 reports a failure as its last event. */
function judgeStream(text: string): void {
  const data = /^event: error\ndata: (.*)$/m.exec(text)?.[1]
  if (data === undefined) return
  const error = parseError(200, data)
  if (error === 'internal_error' || error === 'model_unavailable') {
    throw new Finding(`a stream ended with ${error}`)
  }
}

/** @throws Finding unless the text is the error body of the interface */
export function parseError(status: number, text: string): ErrorCode {
  if (text.length > MAX_ERROR_BYTES) throw new Finding(`an error of ${text.length} bytes`)
  const parsed = errorSchema.safeParse(parseJson(text))
  if (parsed.success) return parsed.data.error
  throw new Finding(`${status} without the error body of the interface`)
}

/** Undefined for text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
