import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import http from 'node:http'
import { z } from 'zod'
import { errorBody, ServiceError } from '../../../core/service-error.js'
import { SERVICE_TENANT } from '../../../organizations/tenant.js'
import { describeError, type Log } from '../../../telemetry/log.js'
import type { VisionMethods } from '../../encoder/vision.js'
import type { ModelHost } from '../../workers/model-host.js'
import { WorkerCallError } from '../../workers/worker-process.js'
import { decodeFrame, encodeFrame, FrameError } from './frame.js'
import { methodPath, METHODS, MODELS_PATH, REVISION_HEADER, workerModels } from './vision-api.js'
import { VISION_CODEC } from './vision-codec.js'

export interface VisionServerOptions {
  host: Pick<ModelHost<VisionMethods>, 'call' | 'info' | 'state' | 'load'>
  /** Undefined: no key is asked for. */
  apiKey: string | undefined
  /** Bytes of all requests at a time; one may have half. */
  bodiesLimitBytes: number
  /** Time limit of a request, from the end of its upload. */
  requestTimeoutMs: number
  log: Log
}

const METHOD_OF = new Map(METHODS.map((method) => [methodPath(method), method]))

/**
 * Serves the methods of a vision worker over HTTP to services that know the key. `/healthz` and `/readyz` need none. An answer holds the
 * revision of the models; the service discards answers of another one.
 */
export function createVisionServer(options: VisionServerOptions): http.Server {
  const { host, apiKey, bodiesLimitBytes, requestTimeoutMs, log } = options
  let heldBytes = 0

  async function serve(request: http.IncomingMessage, response: http.ServerResponse) {
    const { method, url: path = '' } = request
    if (method === 'GET' && path === '/healthz') return sendJson(response, 200, { status: 'alive' })
    const info = host.info()
    const isReady = info !== undefined && ['ready', 'swapping'].includes(host.state())
    if (info) response.setHeader(REVISION_HEADER, String(info.properties.revision))
    if (method === 'GET' && path === '/readyz') {
      return sendJson(response, isReady ? 200 : 503, { status: isReady ? 'ready' : 'starting' })
    }
    requireKey(request)
    if (!info) throw new ServiceError('model_unavailable', 'The models are loading. Retry later.')
    if (method === 'GET' && path === MODELS_PATH) {
      const { packs, device, threads, properties } = info
      const { revision, logitScale: logit_scale } = properties
      const calls = host.load()
      return sendJson(
        response,
        200,
        workerModels.parse({ packs, device, threads, revision, logit_scale, calls }),
      )
    }
    const name = method === 'POST' ? METHOD_OF.get(path) : undefined
    if (name === undefined) throw new ServiceError('not_found', 'There is no such method.')
    await answer(name, request, response)
  }

  function requireKey({ headers: { authorization = '' } }: http.IncomingMessage): void {
    if (apiKey === undefined) return
    const [given, expected] = [authorization, `Bearer ${apiKey}`].map((text) =>
      createHash('sha256').update(text).digest(),
    )
    if (timingSafeEqual(given!, expected!)) return
    throw new ServiceError('invalid_api_key', 'The key is not that of VISION_API_KEY_FILE.')
  }

  async function answer<K extends keyof VisionMethods>(
    name: K,
    request: http.IncomingMessage,
    response: http.ServerResponse,
  ): Promise<void> {
    const length = Number(request.headers['content-length'] ?? NaN)
    if (!Number.isInteger(length) || length > bodiesLimitBytes / 2) {
      throw new ServiceError('payload_too_large', 'The request is too large, or of unknown length.')
    }
    if (heldBytes + length > bodiesLimitBytes) {
      throw new ServiceError('overloaded', 'Too many bytes are in flight. Retry later.')
    }
    heldBytes += length
    const revision = host.info()?.properties.revision
    const left = new AbortController()
    response.once('close', () => left.abort())
    try {
      const codec = VISION_CODEC[name]
      const input = codec.decodeRequest(decodeFrame(await readBody(request, length)))
      const result = await host.call(name, input, {
        signal: left.signal,
        deadline: Date.now() + requestTimeoutMs,
        priority: 'match',
        tenant: SERVICE_TENANT,
      })
      // After a swap nobody knows which models answered; another worker does.
      if (host.info()?.properties.revision !== revision) {
        throw new ServiceError('model_unavailable', 'The models were replaced. Retry.')
      }
      const { json, parts } = codec.encodeResult(result)
      sendFrame(response, encodeFrame(json, parts))
    } finally {
      heldBytes -= length
    }
  }

  function refuse(response: http.ServerResponse, thrown: unknown): void {
    const error = toServiceError(thrown)
    if (error.status >= 500) log.warn('a vision request failed', describeError(thrown))
    if (response.headersSent || response.destroyed) return void response.destroy()
    if (error.retryAfterSeconds !== undefined) {
      response.setHeader('retry-after', error.retryAfterSeconds)
    }
    // What was not read would be taken for the next request.
    response.setHeader('connection', 'close')
    sendJson(response, error.status, errorBody(error, randomUUID()))
  }

  return http.createServer((request, response) => {
    serve(request, response).catch((error: unknown) => refuse(response, error))
  })
}

async function readBody(request: http.IncomingMessage, length: number): Promise<Buffer> {
  const body = Buffer.allocUnsafe(length)
  let end = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    // The parser of HTTP ends a body at its declared length.
    end += chunk.copy(body, end)
  }
  if (end !== length) throw new FrameError('a frame is cut off')
  return body
}

function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  if (error instanceof FrameError || error instanceof z.ZodError) {
    return new ServiceError('unsupported_media_type', 'The body is no frame of this version.', {
      cause: error,
    })
  }
  if (error instanceof WorkerCallError && error.reason === 'invalid_input') {
    return new ServiceError('invalid_request', error.message, { cause: error })
  }
  if (error instanceof WorkerCallError) {
    return new ServiceError('model_unavailable', 'The model could not answer. Retry later.', {
      cause: error,
    })
  }
  return new ServiceError('internal_error', 'The worker failed.', { cause: error })
}

function sendJson(response: http.ServerResponse, status: number, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body))
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': bytes.byteLength,
  })
  response.end(bytes)
}

function sendFrame(response: http.ServerResponse, parts: readonly Uint8Array[]): void {
  const length = parts.reduce((sum, { byteLength }) => sum + byteLength, 0)
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-length': length,
  })
  for (const part of parts) response.write(part)
  response.end()
}
