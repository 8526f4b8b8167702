import type { Request, RequestHandler } from 'express'
import type { z } from 'zod'
import { abortWithClient, timeoutError } from './abort-with-client.js'
import { sendAnswer, sendFailure, type Emit } from './call-answer.js'
import type { AppContext } from '../context.js'
import { openEventStream, type EventStream, type StreamedEvent } from './event-stream.js'
import type { AnsweredCall } from '../events/record-call.js'
import type { InferenceCall, Priority } from '../inference/call.js'
import { createJsonBodyReader } from './json-body.js'
import { admitCall } from '../metering/admit-call.js'
import type { Caller, Capability } from '../organizations/capability.js'
import { setQuotaHeaders, UNKNOWN_QUOTA } from './quota-headers.js'
import { parsePartnerHeaders } from './partner-headers.js'
import type { MissingFieldCode } from './request-body.js'
import { createRequestGate } from './request-gate.js'
import { traceOf } from '../telemetry/request-trace.js'
import { runCall } from './run-call.js'

/** One request, as a use case sees it. */
export interface Call {
  requestId: string
  caller: Caller
  /** SHA-256 of the partner's end-user identifier, when it was sent. */
  endUserId: string | undefined
  /** Whether the result has to say how it came about; only ever for test keys. */
  wantsExplanation: boolean
  /** Aborts when the client leaves, the deadline passes, or the call has been answered. */
  signal: AbortSignal
  /** Milliseconds since the epoch; counted from when the body was here. */
  deadline: number
  /** Headers of the answer, to be set before anything is emitted. A replay of the answer repeats them. */
  headers: Record<string, string>
  emit: Emit
  /** How models are called on behalf of this request. */
  inference: InferenceCall
}

export interface EndpointDefinition<Body, Result> {
  capability: Capability
  /** One sentence for people; the title in the API's documentation. */
  summary: string
  body: z.ZodType<Body>
  response: z.ZodType<Result>
  /** Set where models are asked: whose turn it is when several capabilities wait for one. */
  priority?: Priority
  /** Bodies beyond this are refused unread; BODY_LIMIT_BYTES where it is smaller or nothing is said. */
  maxBodyBytes?: number
  /** Code for a missing or empty required field, by the body's top-level field. */
  missingFieldCodes?: Record<string, MissingFieldCode>
  /** Answers with server-sent events when the client accepts them; `replay` tells a finished result as events. */
  streams?: { replay(result: Result, emit: Emit): void }
  handle(context: AppContext, body: Body, call: Call): Promise<Result>
  /** What a test key gets when its photos or content are at fault; depends on nothing but the body. */
  synthesize?: (body: Body, requestId: string) => Result
  /** The openers that an answer holds, so that events can refer to them. */
  written?: (body: Body, result: Result) => AnsweredCall['written']
  /** The openers among the events of a stream that broke off. */
  writtenSoFar?: (body: Body, sent: readonly StreamedEvent[]) => AnsweredCall['written']
}

/** An endpoint whose body and result types only it knows. */
export type Endpoint = EndpointDefinition<never, unknown> & {
  handler(context: AppContext): RequestHandler
}

/**
 * Declares a call under /v1 and gives it the path that every one takes: authenticate → authorize → rate limit →
 * room for one more? → read → retry of an answered request? → parse → quota → handle → charge → answer.
 */
export function endpoint<Body, Result>(definition: EndpointDefinition<Body, Result>) {
  const { capability, priority } = definition
  const handler = (context: AppContext): RequestHandler => {
    const { bodyLimitBytes, requestTimeoutMs } = context.config
    const { maxBodyBytes = bodyLimitBytes } = definition
    const readBody = createJsonBodyReader(
      Math.min(maxBodyBytes, bodyLimitBytes),
      context.bodyBudget,
    )
    const gate = priority && createRequestGate(context, { capability, priority })
    return async (request, response) => {
      const abort = abortWithClient(response)
      const { signal } = abort
      let stream: EventStream | undefined
      const trace = traceOf(response)
      try {
        setQuotaHeaders(response, capability, UNKNOWN_QUOTA)
        const caller = await context.authenticate(request.headers.authorization)
        trace.caller = caller
        trace.capability = capability
        const { organizationId, environment } = caller
        const scope = { organizationId, environment, capability }
        const limits = await admitCall(context, { caller, scope }, response)
        const partner = parsePartnerHeaders(request.headers, environment)
        const refusal = gate?.refusal(Date.now() + requestTimeoutMs)
        const { idempotencyKey } = partner
        if (refusal && !(await context.idempotency.isRetry(scope, idempotencyKey))) throw refusal
        const body = await readBody(request, response, signal)
        const deadline = abort.startTimer(requestTimeoutMs)
        // No sooner: until the first ping a bad body can be refused with its own status.
        if (wantsStream(definition, request)) stream = openEventStream(response)
        const admitted = { caller, scope, limits, partner, body, signal, deadline, gate, stream }
        const metered = await runCall(context, definition, { ...admitted, response })
        trace.replayed = metered.replayed
        sendAnswer<Result>(response, {
          ...metered,
          stream,
          replay: (result, emit) => definition.streams?.replay(result, emit),
        })
      } catch (thrown) {
        const error = abort.timedOut() ? timeoutError(thrown) : thrown
        sendFailure(context.log, response, { stream, error })
      } finally {
        abort.end()
      }
    }
  }
  return { ...definition, handler }
}

function wantsStream(definition: { streams?: unknown }, request: Request): boolean {
  if (!definition.streams) return false
  return request.accepts(['application/json', 'text/event-stream']) === 'text/event-stream'
}
