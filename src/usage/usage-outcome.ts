import type { ErrorCode } from '../core/service-error.js'

/**
 * What became of a request: `ok` was answered and charged, `replayed` was a retry that got the first answer again
 * uncharged, `client_left` ended before the answer was out; all else is the code of the error that was answered.
 */
export type UsageOutcome = 'ok' | 'replayed' | 'client_left' | ErrorCode
