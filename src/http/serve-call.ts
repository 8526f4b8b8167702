import type { Request, RequestHandler } from 'express'
import type { AppContext } from '../context.js'
import type { AnsweredCall } from '../events/record-call.js'
import { beginCall, type CallAnswer, type MeteredCall } from '../metering/begin-call.js'
import { traceOf } from '../telemetry/request-trace.js'
import { admitCall } from './admit-call.js'
import type { AdmittedCall } from './admitted-call.js'
import type { BodyBudget } from './body-budget.js'
import type { CallDefinition } from './call-definition.js'
import { openEventStream, type EventStream } from './event-stream.js'
import { executeCall } from './execute-call.js'
import { parsePartnerHeaders } from './partner-headers.js'
import { noteQuota } from './quota-headers.js'
import { readJsonBody } from './read-json-body.js'
import { recordAnswer, recordSentOpeners } from './record-answer.js'
import { createRequestGate } from './request-gate.js'
import { RequestLifetime } from './request-lifetime.js'
import { sendAnswer, sendFailure } from './send-answer.js'
import { parseBody } from './parse-body.js'

/** What all calls share. */
export interface CallServices {
  context: AppContext
  bodyBudget: BodyBudget
}

/**
 * Serves a call under /v1. Every request runs through the same stages, once each and in this order: authenticate → admit →
 * read → parse → claim the idempotency key and reserve quota → execute → settle → answer.
 */
export function serveCall<Body, Result>(
  { context, bodyBudget }: CallServices,
  definition: CallDefinition<Body, Result>,
): RequestHandler {
  const { capability, priority, maxBodyBytes = Infinity } = definition
  const { bodyLimitBytes, requestTimeoutMs } = context.config
  const bodyTerms = { limitBytes: Math.min(maxBodyBytes, bodyLimitBytes), budget: bodyBudget }
  const gate = priority && createRequestGate(context, { capability, priority })

  return async (request, response) => {
    const trace = traceOf(response)
    const lifetime = new RequestLifetime(response)
    const { signal } = lifetime
    let stream: EventStream | undefined
    noteQuota(response, { capability })
    try {
      const caller = await context.authenticate(request.headers.authorization)
      trace.caller = caller
      trace.capability = capability
      const { organizationId, environment } = caller
      const scope = { organizationId, environment, capability }
      const limits = await admitCall(context, { caller, scope }, response)
      const partner = parsePartnerHeaders(request.headers, environment)
      const { idempotencyKey } = partner

      // Checked before the body is read. A retry may find its stored answer even when the queue is full.
      const refusal = gate?.refusal(context.clock() + requestTimeoutMs)
      if (refusal && !(await context.idempotency.isRetry(scope, idempotencyKey))) throw refusal
      const received = await readJsonBody(request, { ...bodyTerms, signal })
      const deadline = context.clock() + requestTimeoutMs
      lifetime.startTimer(requestTimeoutMs)
      // The headers of a stream leave with its first event, so a bad body still gets its own status.
      if (acceptsStream(definition, request)) stream = openEventStream(response)
      const body = parseBody(definition, received.json)

      const bodyDigest = received.digest
      const charge = { scope, limits, idempotencyKey, bodyDigest, deadline, signal }
      const begun = await beginCall(context, charge)
      if ('replay' in begun) {
        trace.replayed = true
        sendAnswer(response, { answer: begun.replay, replays: definition.streams, stream })
        return
      }

      const admitted = { caller, scope, limits, partner, body, signal, deadline, gate, stream }
      const answer = await complete(context, definition, begun.call, { ...admitted, response })
      sendAnswer(response, { answer, stream })
    } catch (thrown) {
      sendFailure(context.log, response, { stream, error: lifetime.toAnswer(thrown) })
    } finally {
      lifetime.end()
    }
  }
}

/** Executes a call that was begun, and settles it, or releases it when anything fails. */
async function complete<Body, Result>(
  context: AppContext,
  definition: CallDefinition<Body, Result>,
  metered: MeteredCall,
  admitted: AdmittedCall<Body>,
): Promise<CallAnswer> {
  const { body, limits, scope, stream, response } = admitted
  const { requestId } = traceOf(response)
  const callWith = (written: AnsweredCall['written']): AnsweredCall => ({
    ...scope,
    requestId,
    createdAt: context.clock(),
    written,
  })
  try {
    const { result, headers } = await executeCall(context, definition, admitted)
    const answer = { body: JSON.stringify(result), headers }
    const used = await metered.settle(answer, (transaction) =>
      recordAnswer(transaction, callWith(definition.openersIn?.(body, result))),
    )
    noteQuota(response, { used })
    const { capability, environment } = scope
    if (used >= limits.softCap) context.metrics.callsAboveSoftCap.inc({ capability, environment })
    return answer
  } catch (error) {
    try {
      const written = definition.openersSent?.(body, stream?.sent ?? [])
      await recordSentOpeners(context.db, callWith(written))
    } finally {
      await metered.release(error)
    }
    throw error
  }
}

function acceptsStream(definition: { streams?: unknown }, request: Request): boolean {
  if (!definition.streams) return false
  return request.accepts(['application/json', 'text/event-stream']) === 'text/event-stream'
}
