import { z } from 'zod'
import type { VisionMethods } from '../../encoder/vision.js'
import { WorkerCallError } from '../../workers/worker-process.js'
import type { EngineClient, EngineResponse } from '../engine-client.js'
import { EngineError } from '../engine-error.js'
import { decodeFrame, encodeFrame, FrameError } from './frame.js'
import {
  methodPath,
  MODELS_PATH,
  REVISION_HEADER,
  workerModels,
  type WorkerModels,
} from './vision-api.js'
import { countItems, VISION_CODEC } from './vision-codec.js'

/** One `vision-worker`. */
export interface VisionClient {
  name: string
  /**
   * What the worker says of itself.
   * @throws EngineError
   */
  describe: (signal: AbortSignal) => Promise<WorkerModels>
  /** @throws EngineError unless the worker has the models of the expected revision */
  verify: (signal: AbortSignal) => Promise<void>
  /** @throws EngineError unless the worker is ready */
  check: (signal: AbortSignal) => Promise<void>
  /**
   * @throws EngineError
   * @throws WorkerCallError `invalid_input`, which another worker would answer as well
   */
  call: <K extends keyof VisionMethods>(
    method: K,
    request: VisionMethods[K]['request'],
    signal: AbortSignal,
  ) => Promise<VisionMethods[K]['result']>
  close: () => void
}

const MAX_SMALL_BYTES = 65_536
/** 4,096 embeddings of 8,192 dimensions would be more, and no request asks for them. */
const MAX_RESULT_BYTES = 64 * 1024 ** 2
const refusal = z.object({ error: z.string().max(100), message: z.string().max(1_000) })

export function createVisionClient({
  name,
  client,
  revision,
}: {
  name: string
  client: EngineClient
  /** Of all answers. */
  revision: string
}): VisionClient {
  async function get(path: string, signal: AbortSignal): Promise<EngineResponse> {
    const response = await client.send({ method: 'GET', path, signal, maxBytes: MAX_SMALL_BYTES })
    if (response.status === 200) return response
    if (response.status === 401) {
      throw new EngineError('refused', 'refused the key: see VISION_API_KEY_FILE')
    }
    throw new EngineError('refused', `is not ready (${response.status})`)
  }

  async function describe(signal: AbortSignal): Promise<WorkerModels> {
    const { body } = await get(MODELS_PATH, signal)
    const models = workerModels.safeParse(parseJson(body))
    if (models.success) return models.data
    throw new EngineError('mismatch', 'is no vision-worker of this version')
  }

  return {
    name,
    describe,
    verify: async (signal) => requireRevision((await describe(signal)).revision, revision),
    check: async (signal) => {
      requireRevision((await get('/readyz', signal)).headers[REVISION_HEADER], revision)
    },
    call: async (method, request, signal) => {
      const codec = VISION_CODEC[method]
      const { json, parts } = codec.encodeRequest(request)
      const response = await client.send({
        method: 'POST',
        path: methodPath(method),
        headers: { 'content-type': 'application/octet-stream' },
        body: encodeFrame(json, parts),
        signal,
        maxBytes: MAX_RESULT_BYTES,
      })
      if (response.status !== 200) throw toRefusal(response)
      requireRevision(response.headers[REVISION_HEADER], revision)
      const result = decodeResult(() => codec.decodeResult(decodeFrame(response.body)))
      const count = countItems(request)
      if (count === undefined || (Array.isArray(result) && result.length === count)) return result
      throw new EngineError('malformed', 'answered with too few or too many results')
    },
    close: () => client.close(),
  }
}

function requireRevision(given: string | string[] | undefined, expected: string): void {
  if (given === expected) return
  throw new EngineError('mismatch', `has other models than ${expected}: give it the same packs`)
}

function decodeResult<T>(decode: () => T): T {
  try {
    return decode()
  } catch (error) {
    if (!(error instanceof FrameError) && !(error instanceof z.ZodError)) throw error
    throw new EngineError('malformed', 'sent an answer that does not fit the protocol')
  }
}

function toRefusal({ status, body }: EngineResponse): Error {
  const { error, message } = refusal.safeParse(parseJson(body)).data ?? {}
  if (error === 'invalid_request' && message !== undefined) {
    return new WorkerCallError('invalid_input', message)
  }
  return new EngineError(error === 'overloaded' ? 'busy' : 'refused', `answered ${status}`)
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
