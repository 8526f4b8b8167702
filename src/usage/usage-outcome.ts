import type { ErrorCode } from '../core/service-error.js'

/**
 * The outcome of a request: `ok` if answered and charged, `replayed` if a retry got the stored answer without a charge,
 * `client_left` if the client disconnected before the answer was sent, else the code of the error in the answer.
 */
export type UsageOutcome = 'ok' | 'replayed' | 'client_left' | ErrorCode
