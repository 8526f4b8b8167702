/**
 * - `connection`: no connection, or it ended before the answer; the engine may have been restarted
 * - `timeout`: no answer within the time for one attempt
 * - `refused`: an HTTP status other than 200
 * - `malformed`: an answer that does not follow the protocol, or is too long
 * - `mismatch`: the engine serves another model than the pack
 */
export type EngineFailure = 'connection' | 'timeout' | 'refused' | 'malformed' | 'mismatch'

/** An engine did not do what it was asked to. The message is for the operator: no text, token or address is in it. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly failure: EngineFailure
  readonly status: number | undefined

  constructor(
    failure: EngineFailure,
    message: string,
    options: { status?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.failure = failure
    this.status = options.status
  }
}
