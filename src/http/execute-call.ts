import type { AppContext } from '../context.js'
import type { LoadedPhotos } from '../photos/load-photos.js'
import { addTiming } from './server-timing.js'
import { traceOf } from '../telemetry/request-trace.js'
import type { AdmittedCall } from './admitted-call.js'
import type { CallDefinition, ServedCall } from './call-definition.js'
import { isAnsweredSynthetically } from './synthetic-answers.js'

const NO_PHOTOS: LoadedPhotos = new Map()

export interface CallToExecute<Body> extends AdmittedCall<Body>, Pick<ServedCall, 'onChosen'> {}

export interface Executed<Result> {
  result: Result
  /** Headers that belong to the answer; a replay repeats them. */
  headers: Record<string, string>
}

/**
 * Fetches the photos, then runs the use case when its turn has come. A test key gets synthetic data for photos or content that are refused, unless it
 * asked for the error or part of the answer has been streamed.
 */
export async function executeCall<Body, Result>(
  context: AppContext,
  definition: CallDefinition<Body, Result>,
  admitted: CallToExecute<Body>,
): Promise<Executed<Result>> {
  const { body, gate, partner, stream, response } = admitted
  const call = describeCall(admitted, definition.priority)
  try {
    const references = definition.photosIn?.(body)
    const photos = references ? await context.photos.load(references, call.inference) : NO_PHOTOS
    const handle = () => definition.handle(context, body, { ...call, photos })
    const result = await (gate ? gate.pass(call.inference, handle) : handle())
    return { result, headers: {} }
  } catch (error) {
    const { environment } = call.caller
    const isSynthetic = isAnsweredSynthetically(error, {
      environment,
      models: context.models.status(),
    })
    if (!definition.synthesize || !isSynthetic || partner.refusesSynthetic || stream?.started) {
      throw error
    }
    const result = definition.synthesize(body, call.requestId)
    const headers = { 'X-Service-Synthetic': 'true' }
    response.set(headers)
    call.onChosen(undefined)
    definition.streams?.replay(result, call.emit)
    return { result, headers }
  }
}

function describeCall<Body>(
  { caller, partner, tenant, lifetime, deadline, stream, response, onChosen }: CallToExecute<Body>,
  priority: ServedCall['inference']['priority'] = 'batch',
): Omit<ServedCall, 'photos'> {
  const trace = traceOf(response)
  return {
    requestId: trace.requestId,
    caller,
    subject: partner.endUserId ?? partner.idempotencyKey ?? trace.requestId,
    onChosen,
    wantsExplanation: partner.wantsExplanation,
    emit: (event, data) => stream?.send(event, data),
    inference: {
      signal: lifetime.signal,
      deadline,
      priority,
      tenant,
      onTiming: (stage, ms) => addTiming(trace, stage, ms),
    },
  }
}
