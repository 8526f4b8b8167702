/**
 * - `connection`: no connection, or it ended before the answer; the engine may have been restarted
 * - `timeout`: no answer within the time for one attempt
 * - `busy`: it works and has no room for this request
 * - `refused`: another HTTP status than that of success
 * - `malformed`: an answer that does not follow the protocol, or is too long
 * - `mismatch`: the engine serves another model than the pack
 */
export type EngineFailure = 'connection' | 'timeout' | 'busy' | 'refused' | 'malformed' | 'mismatch'

/** An engine did not do what it was asked to. The message is for the operator and holds nothing of requests and answers. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly failure: EngineFailure

  constructor(failure: EngineFailure, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.failure = failure
  }
}

/** What a status other than that of success says of an engine: with 429 and 503 engines and routers refuse what they have no room for. */
export function failureOfStatus(status: number): 'busy' | 'refused' {
  return status === 429 || status === 503 ? 'busy' : 'refused'
}
