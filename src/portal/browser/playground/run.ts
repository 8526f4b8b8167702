import {
  ConnectionError,
  ProfileServiceError,
  type InferPreferencesResponse,
  type MatchResponse,
  type OpenersResponse,
  type OpenerStreamEvent,
  type Style,
} from '../../../../client/src/index.js'
import type { AnswerFacts } from './answer-facts.js'
import type { Call } from './call.js'

/** A call that was started, with what has arrived so far. */
export interface Run {
  call: Call
  state: 'running' | 'done' | 'failed' | 'cancelled'
  facts?: AnswerFacts
  /** Time until the answer was complete. */
  milliseconds?: number
  preferences?: InferPreferencesResponse
  match?: MatchResponse
  openers: StreamedOpener[]
  openersExplanation?: OpenersResponse['explain']
  failure?: Failure
}

export interface StreamedOpener {
  style: Style
  /** As far as it has arrived. */
  text: string
  isComplete: boolean
  /** When its first words arrived, since the start of the call. */
  milliseconds: number
}

/** An error as a partner's code receives it. */
export interface Failure {
  code: string
  message: string
  status: number | undefined
  requestId: string | undefined
  retryAfterSeconds: number | undefined
}

export function startRun(call: Call): Run {
  return { call, state: 'running', openers: [] }
}

/** @param milliseconds - since the start of the call */
export function addOpenerEvent(run: Run, event: OpenerStreamEvent, milliseconds: number): Run {
  if (event.event === 'done') return { ...run, openersExplanation: event.data.explain }
  const { index, style, text } = event.data
  const openers = [...run.openers]
  const known = openers[index] ?? { style, text: '', isComplete: false, milliseconds }
  openers[index] =
    event.event === 'opener'
      ? { ...known, text, isComplete: true }
      : { ...known, text: known.text + text }
  return { ...run, openers }
}

export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof ProfileServiceError) {
    const { code, message, status, requestId, retryAfterSeconds } = thrown
    return { code, message, status, requestId, retryAfterSeconds }
  }
  const noDetails = { status: undefined, requestId: undefined, retryAfterSeconds: undefined }
  const message =
    thrown instanceof ConnectionError ? thrown.message : 'The page could not make the call.'
  return { code: 'no_answer', message, ...noDetails }
}
