import type { Response } from 'express'
import { errorBody } from '../core/service-error.js'
import type { CallAnswer } from '../metering/begin-call.js'
import type { Emit } from '../profile/call-context.js'
import type { Log } from '../telemetry/log.js'
import { traceOf } from '../telemetry/request-trace.js'
import { noteError, sendError } from './error-response.js'
import type { EventStream } from './event-stream.js'
import { setServerTiming } from './server-timing.js'

export interface AnswerToSend {
  answer: CallAnswer
  stream: EventStream | undefined
  /** Set for a replay that may be streamed: emits a stored result as events. */
  replays?: { replay(result: never, emit: Emit): void } | undefined
}

/** Sends a successful answer: as JSON, or as the last event of a stream. */
export function sendAnswer(response: Response, { answer, stream, replays }: AnswerToSend): void {
  // After the first ping of a stream no header can be added.
  if (!response.headersSent) {
    response.set(answer.headers)
    if (traceOf(response).replayed) response.set('Idempotent-Replayed', 'true')
  }
  if (!stream) {
    setServerTiming(response)
    response.status(200).type('application/json').send(answer.body)
    return
  }
  const result: unknown = JSON.parse(answer.body)
  replays?.replay(result as never, (event, data) => stream.send(event, data))
  stream.send('done', result)
  stream.end()
}

/** Sends an error with its own status, or as the last event of a stream that has begun. */
export function sendFailure(
  log: Log,
  response: Response,
  { stream, error: thrown }: { stream: EventStream | undefined; error: unknown },
): void {
  // A client that left aborted the call: that is no failure.
  if (response.destroyed && isAbort(thrown)) return
  const error = noteError(log, response, thrown)
  if (response.destroyed) return
  if (!stream?.started) {
    setServerTiming(response)
    sendError(response, error)
    return
  }
  stream.send('error', errorBody(error, traceOf(response).requestId))
  stream.end()
}

/** Whether a call ended because its client left. */
export function isAbort(thrown: unknown): boolean {
  return (thrown as Partial<Error> | undefined)?.name === 'AbortError'
}
