import type { Response } from 'express'
import { errorBody } from '../core/service-error.js'
import type { EventStream } from './event-stream.js'
import { noteError, sendError } from './error-response.js'
import type { CallAnswer } from '../metering/meter-call.js'
import { traceOf } from '../telemetry/request-trace.js'
import { setServerTiming } from './server-timing.js'
import type { Log } from '../telemetry/log.js'

/** Sends a partial result to a client that asked for a stream; does nothing otherwise. */
export type Emit = (event: string, data: unknown) => void

/** Emits on a stream, whose answer begins with these headers. */
export function emitter(
  response: Response,
  stream: EventStream | undefined,
  headers: Readonly<Record<string, string>>,
): Emit {
  return (event, data) => {
    if (!stream) return
    setHeaders(response, headers)
    stream.send(event, data)
  }
}

export interface AnswerToSend<Result> {
  answer: CallAnswer
  replayed: boolean
  stream: EventStream | undefined
  replay: (result: Result, emit: Emit) => void
}

/** Sends a good answer: as JSON, or as the end of a stream, which a replay tells from its beginning. */
export function sendAnswer<Result>(
  response: Response,
  { answer, replayed, stream, replay }: AnswerToSend<Result>,
): void {
  const headers = { ...answer.headers, ...(replayed && { 'Idempotent-Replayed': 'true' }) }
  if (!stream) {
    setHeaders(response, headers)
    setServerTiming(response)
    response.status(200).type('application/json').send(answer.body)
    return
  }
  const emit = emitter(response, stream, headers)
  const result = JSON.parse(answer.body) as Result
  if (replayed) replay(result, emit)
  emit('done', result)
  stream.end()
}

/** Sends an error: with its own status, or as the last event of a stream that has begun. */
export function sendFailure(
  log: Log,
  response: Response,
  { stream, error: thrown }: { stream: EventStream | undefined; error: unknown },
): void {
  // Whoever leaves aborts the call: that is no failure of it.
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

function isAbort(thrown: unknown): boolean {
  return (thrown as Partial<Error> | undefined)?.name === 'AbortError'
}

/** Headers that come too late are left out: a ping may have begun the answer before there was anything to say. */
function setHeaders(response: Response, headers: Readonly<Record<string, string>>): void {
  if (response.headersSent) return
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
}
