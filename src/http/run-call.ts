import type { Response } from 'express'
import { emitter } from './call-answer.js'
import type { AppContext } from '../context.js'
import type { Database } from '../database/open-database.js'
import type { Call, EndpointDefinition } from './endpoint.js'
import type { EventStream } from './event-stream.js'
import { insertCall, type AnsweredCall } from '../events/record-call.js'
import type { JsonBody } from './json-body.js'
import { meterCall, type ExecutedCall, type MeteredAnswer } from '../metering/meter-call.js'
import type { CapabilityLimits } from '../metering/plans.js'
import { setQuotaHeaders } from './quota-headers.js'
import type { QuotaScope } from '../metering/quota.js'
import type { PartnerHeaders } from './partner-headers.js'
import { describeShapeProblem } from './request-body.js'
import type { RequestGate } from './request-gate.js'
import { traceOf } from '../telemetry/request-trace.js'
import { addTiming } from './server-timing.js'
import { isAnsweredSynthetically } from '../profile/synthetic-data.js'

/** A call that was let in and whose body is here. */
export interface AdmittedCall extends Pick<Call, 'caller' | 'signal' | 'deadline'> {
  scope: QuotaScope
  limits: CapabilityLimits
  partner: PartnerHeaders
  body: JsonBody
  /** Before the models, where they are asked. */
  gate: RequestGate | undefined
  response: Response
  /** Where the client asked for one. */
  stream: EventStream | undefined
}

interface Running<Body, Result> {
  context: AppContext
  definition: EndpointDefinition<Body, Result>
  admitted: AdmittedCall
}

/**
 * Runs a call, or finds the answer that its first try got; records and charges what is answered, and tells the charge in
 * the answer's headers.
 * @throws ServiceError of the body's shape, of the metering, and whatever the use case throws
 */
export async function runCall<Body, Result>(
  context: AppContext,
  definition: EndpointDefinition<Body, Result>,
  admitted: AdmittedCall,
): Promise<MeteredAnswer> {
  const { scope, limits, partner, body, signal } = admitted
  const { idempotencyKey } = partner
  // The same moment as the call's deadline, by the clock of what the database knows.
  const deadline = context.clock() + context.config.requestTimeoutMs
  const running = { context, definition, admitted }
  const metered = await meterCall(
    context,
    { scope, limits, idempotencyKey, body: body.digest, deadline, signal },
    {
      parse: () => parseBody(definition, body.json),
      execute: (parsed) => execute(running, parsed),
      recordFailure: (parsed) => recordSoFar(running, parsed),
    },
  )
  if (metered.used !== undefined) tellCharge(context, admitted, metered.used)
  return metered
}

function parseBody<Body>(
  definition: Pick<EndpointDefinition<Body, never>, 'body' | 'missingFieldCodes'>,
  json: unknown,
): Body {
  const parsed = definition.body.safeParse(json)
  if (parsed.success) return parsed.data
  throw describeShapeProblem(parsed.error, json, definition.missingFieldCodes)
}

async function execute<Body, Result>(
  running: Running<Body, Result>,
  body: Body,
): Promise<ExecutedCall> {
  const { context, definition, admitted } = running
  const { gate, partner, stream } = admitted
  const call = startCall(running)
  const handle = () => definition.handle(context, body, call)
  const result = await (gate ? gate.pass(call.inference, handle) : handle()).catch(
    (error: unknown) => {
      if (partner.refusesSynthetic || stream?.started) throw error
      return synthesize(running, { body, call, error })
    },
  )
  return {
    answer: { body: JSON.stringify(result), headers: call.headers },
    record: (transaction) => recordAnswer(running, transaction, { body, result }),
  }
}

function startCall<Body, Result>({ definition, admitted }: Running<Body, Result>): Call {
  const { caller, partner, signal, deadline, response, stream } = admitted
  const { endUserId, wantsExplanation } = partner
  const { priority = 'batch' } = definition
  const trace = traceOf(response)
  const headers: Record<string, string> = {}
  return {
    requestId: trace.requestId,
    caller,
    endUserId,
    wantsExplanation,
    signal,
    deadline,
    headers,
    emit: emitter(response, stream, headers),
    inference: { signal, deadline, priority, onTiming: (stage, ms) => addTiming(trace, stage, ms) },
  }
}

function synthesize<Body, Result>(
  { context, definition }: Running<Body, Result>,
  { body, call, error }: { body: Body; call: Call; error: unknown },
): Result {
  const { environment } = call.caller
  const models = context.models.status()
  const isSynthetic = isAnsweredSynthetically(error, { environment, models })
  if (!definition.synthesize || !isSynthetic) throw error
  call.headers['X-Service-Synthetic'] = 'true'
  const result = definition.synthesize(body, call.requestId)
  definition.streams?.replay(result, call.emit)
  return result
}

/** Events may refer to every call but the report of events. */
async function recordAnswer<Body, Result>(
  running: Running<Body, Result>,
  transaction: Database,
  { body, result }: { body: Body; result: Result },
): Promise<void> {
  const { definition } = running
  if (definition.capability === 'events') return
  await record(running, transaction, definition.written?.(body, result))
}

/** What a client has shown before its stream broke off may be sent and replied to all the same. */
async function recordSoFar<Body, Result>(
  running: Running<Body, Result>,
  body: Body,
): Promise<void> {
  const { context, definition, admitted } = running
  const written = definition.writtenSoFar?.(body, admitted.stream?.sent ?? [])
  if (!written || written.openers.length === 0) return
  await context.db.transaction().execute((transaction) => record(running, transaction, written))
}

async function record<Body, Result>(
  { context, admitted }: Running<Body, Result>,
  transaction: Database,
  written: AnsweredCall['written'],
): Promise<void> {
  const { scope, response } = admitted
  const { requestId } = traceOf(response)
  await insertCall(transaction, { ...scope, requestId, createdAt: context.clock(), written })
}

function tellCharge(
  { metrics }: AppContext,
  { caller, scope, limits, response }: AdmittedCall,
  used: number,
): void {
  const { plan } = caller
  const { capability, environment } = scope
  if (!response.headersSent) setQuotaHeaders(response, capability, { plan, used, ...limits })
  if (used >= limits.softCap) metrics.callsAboveSoftCap.inc({ capability, environment })
}
