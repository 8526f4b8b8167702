import type { z } from 'zod'
import type { AppContext } from '../context.js'
import type { ServiceError } from '../core/service-error.js'
import type { AnsweredCall } from '../events/record-call.js'
import type { Priority } from '../inference/inference-call.js'
import type { Caller, Capability } from '../organizations/capability.js'
import type { PhotosByField } from '../photos/load-photos.js'
import type { Call, Emit } from '../profile/call-context.js'
import type { StreamedEvent } from './event-stream.js'

/**
 * A call of the interface as its feature defines it: a plain object that `serveCall` wraps. A feature declares which parts
 * of the context and of the request its functions take; this type checks that they are there.
 */
export interface CallDefinition<Body, Result> {
  capability: Capability
  /** One sentence for people; the title in the API documentation. */
  summary: string
  body: z.ZodType<Body>
  response: z.ZodType<Result>
  /** Order in which waiting requests reach the models; undefined: none waits. */
  priority?: Priority
  /** Requests that run at a time. Default: the fewest that keep the models busy. */
  concurrency?: number
  /** The photos of a body by field, fetched before the request takes a place at the models: their hosts may be slow. */
  photosIn?: (body: Body) => PhotosByField
  /** Larger bodies are refused unread. Default, and upper limit: BODY_LIMIT_BYTES. */
  maxBodyBytes?: number
  /** Code for a missing or empty required field, by the body's top-level field. */
  missingFieldCodes?: Readonly<Record<string, ServiceError['code']>>
  /** Set when clients may ask for server-sent events; `replay` emits a finished result as events. */
  streams?: { replay(result: Result, emit: Emit): void }
  handle(context: AppContext, body: Body, call: ServedCall): Promise<Result>
  /** Answers a test key whose photos or content are refused; depends on the body alone. */
  synthesize?: (body: Body, requestId: string) => Result
  /** The openers in an answer, so that events can refer to them. */
  openersIn?: (body: Body, result: Result) => AnsweredCall['written']
  /** The openers among the events of a stream that broke off. */
  openersSent?: (body: Body, sent: readonly StreamedEvent[]) => AnsweredCall['written']
}

/** One request as `serveCall` hands it to a feature. */
export interface ServedCall extends Call {
  caller: Caller
  /** Who the call is for: the hash of the end user where it was sent, otherwise the idempotency key or the request id. */
  subject: string
  /** Receives what is stored of openers besides the answer; replaces what it received before. */
  onChosen(chosen: AnsweredCall['chosen']): void
}
