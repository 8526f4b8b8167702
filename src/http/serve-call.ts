import type { Request, RequestHandler } from 'express'
import type { AppContext } from '../context.js'
import { ServiceError } from '../core/service-error.js'
import { toServiceError } from '../core/to-service-error.js'
import type { Database } from '../database/open-database.js'
import { StorageError } from '../database/storage-failure.js'
import type { AnsweredCall } from '../events/record-call.js'
import { beginCall, type CallAnswer, type MeteredCall } from '../metering/begin-call.js'
import type { FairBudget } from '../metering/fair-budget.js'
import { traceOf } from '../telemetry/request-trace.js'
import { admitCall, type Admission } from './admit-call.js'
import type { AdmittedCall } from './admitted-call.js'
import type { CallDefinition } from './call-definition.js'
import type { JsonParser } from './json-parser.js'
import { openEventStream, type EventStream } from './event-stream.js'
import { executeCall } from './execute-call.js'
import { parsePartnerHeaders } from './partner-headers.js'
import { noteQuota } from './quota-headers.js'
import { readJsonBody } from './read-json-body.js'
import { recordAnswer } from './record-answer.js'
import { createRequestGate } from './request-gate.js'
import { RequestLifetime } from './request-lifetime.js'
import { isAbort, sendAnswer, sendFailure } from './send-answer.js'
import { parseBody } from './parse-body.js'

/** What all calls share. */
export interface CallServices {
  context: AppContext
  bodyBudget: FairBudget
  jsonParser: JsonParser
}

/**
 * Serves a call under /v1. Every request runs through the same stages, once each and in this order: authenticate → admit →
 * read → parse → claim the idempotency key and reserve quota → execute → settle → answer.
 */
export function serveCall<Body, Result>(
  { context, bodyBudget, jsonParser }: CallServices,
  definition: CallDefinition<Body, Result>,
): RequestHandler {
  const { capability, priority, concurrency, maxBodyBytes = Infinity } = definition
  const { bodyLimitBytes, requestTimeoutMs } = context.config
  const bodyTerms = {
    limitBytes: Math.min(maxBodyBytes, bodyLimitBytes),
    budget: bodyBudget,
    parser: jsonParser,
  }
  const gate = priority && createRequestGate(context, { capability, priority, concurrency })

  return async (request, response) => {
    const trace = traceOf(response)
    const lifetime = new RequestLifetime(response)
    const { signal } = lifetime
    let stream: EventStream | undefined
    let admission: Admission | undefined
    noteQuota(response, { capability })
    try {
      context.storage.assertHasRoom()
      const caller = await context.authenticate(request.headers.authorization)
      trace.caller = caller
      trace.capability = capability
      const { organizationId, environment } = caller
      const scope = { organizationId, environment, capability }
      admission = await admitCall(context, { caller, scope }, response)
      const { limits, tenant } = admission
      const partner = parsePartnerHeaders(request.headers, environment)
      const { idempotencyKey } = partner

      // Checked before the body is read. A retry may find its stored answer even when the queue is full.
      const refusal = gate?.refusal(tenant, context.clock() + requestTimeoutMs)
      if (refusal && !(await context.idempotency.isRetry(scope, idempotencyKey))) throw refusal
      const received = await readJsonBody(request, { ...bodyTerms, tenant, signal })
      const deadline = context.clock() + requestTimeoutMs
      lifetime.startTimer(requestTimeoutMs)
      // The headers of a stream leave with its first event, so a bad body still gets its own status.
      if (acceptsStream(definition, request)) {
        // The answer of a call with a key is stored, so that a client that lost the stream can ask for the rest.
        const onFirstEvent = () => idempotencyKey !== undefined && lifetime.detach()
        stream = openEventStream(response, { onFirstEvent })
      }
      const body = parseBody(definition, received.json)

      const bodyDigest = received.digest
      const charge = { scope, limits, idempotencyKey, bodyDigest, deadline, signal }
      const begun = await beginCall(context, charge)
      if ('replay' in begun) {
        trace.replayed = true
        sendAnswer(response, { answer: begun.replay, replays: definition.streams, stream })
        return
      }

      const admitted = { caller, scope, limits, tenant, partner, body, lifetime, deadline, gate }
      const answer = await complete(context, definition, begun.call, {
        ...admitted,
        stream,
        response,
      })
      sendAnswer(response, { answer, stream })
    } catch (thrown) {
      const error = lifetime.toAnswer(thrown)
      const isGivenBack = isFaultOfService(error) && !stream?.sent.length
      const givenBack = isGivenBack ? admission?.giveBack() : undefined
      // Before the answer, after which the client may send the next request; a database that does not answer is not waited for.
      if (!(error instanceof StorageError)) await givenBack
      sendFailure(context.log, response, { stream, error })
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
  const { body, limits, lifetime, partner, scope, stream, response } = admitted
  const { requestId } = traceOf(response)
  let chosen: AnsweredCall['chosen']
  const onChosen = (latest: AnsweredCall['chosen']) => void (chosen = latest)
  const callWith = (written: AnsweredCall['written']): AnsweredCall => ({
    ...scope,
    requestId,
    createdAt: context.clock(),
    written,
    chosen,
  })
  try {
    const { result, headers } = await executeCall(context, definition, { ...admitted, onChosen })
    const answer = { body: JSON.stringify(result), headers }
    const used = await metered.settle(answer, (transaction) =>
      recordAnswer(transaction, callWith(definition.openersIn?.(body, result))),
    )
    noteQuota(response, { used })
    const { capability, environment } = scope
    if (used >= limits.softCap) context.metrics.callsAboveSoftCap.inc({ capability, environment })
    return answer
  } catch (error) {
    await settleFailed(context, metered, {
      error,
      call: callWith(definition.openersSent?.(body, stream?.sent ?? [])),
      // Openers that were sent are paid for, unless the service failed: otherwise a client that leaves, or sees to it that its
      // time runs out, has them for nothing. With a key a retry executes the call again.
      isCharged:
        partner.idempotencyKey === undefined &&
        (lifetime.clientHasLeft || isOverloaded(lifetime.toAnswer(error))),
    })
    throw error
  }
}

interface FailedCall {
  error: unknown
  /** The call with the openers that the client has received. */
  call: AnsweredCall
  /** Whether openers that were sent must be paid for. */
  isCharged: boolean
}

/** Records openers that were sent before a call failed: they may be sent and replied to. Charges them, or releases the call. */
async function settleFailed(
  { db }: Pick<AppContext, 'db'>,
  metered: MeteredCall,
  { error, call, isCharged }: FailedCall,
): Promise<void> {
  try {
    if (!call.written?.openers.length) return
    const record = (transaction: Database) => recordAnswer(transaction, call)
    if (isCharged) await metered.settlePart(record)
    else await db.transaction().execute(record)
  } finally {
    await metered.release(error)
  }
}

/** Also the error of a call whose time is over, whether the call or the queue of a model notices it first. */
function isOverloaded(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'overloaded'
}

/** A refusal that the caller could not avoid does not count against its rate limit. */
function isFaultOfService(error: unknown): boolean {
  return !isAbort(error) && toServiceError(error).status >= 500
}

function acceptsStream(definition: { streams?: unknown }, request: Request): boolean {
  if (!definition.streams) return false
  return request.accepts(['application/json', 'text/event-stream']) === 'text/event-stream'
}
