import http from 'node:http'
import https from 'node:https'
import { errorCode } from '../../core/error-code.js'
import { EngineError } from './engine-error.js'

export interface EngineRequest {
  method: 'GET' | 'POST'
  /** Below the base URL. */
  path: string
  headers?: Record<string, string | number>
  /** Sent one after the other. */
  body?: readonly Uint8Array[]
  signal: AbortSignal
  /** Bytes that an answer may have. */
  maxBytes: number
  /** Uses a connection of its own: a request that is sent again, as below, may reach an engine that was restarted meanwhile. */
  ownConnection?: boolean
}

export interface EngineResponse {
  status: number
  headers: http.IncomingHttpHeaders
  body: Buffer
}

export interface EngineClient {
  /** @throws EngineError; the abort reason */
  send(request: EngineRequest): Promise<EngineResponse>
  close(): void
}

export interface EngineClientOptions {
  baseUrl: string
  apiKey: string | undefined
  /** Idle connections that are kept. */
  connections: number
}

/**
 * Sends requests to one engine over kept connections. Follows no redirects, since the key would travel with them. An engine may close a
 * kept connection while a request is on its way: that request is sent again, on a new one.
 */
export function createEngineClient({
  baseUrl,
  apiKey,
  connections,
}: EngineClientOptions): EngineClient {
  const base = new URL(baseUrl)
  const prefix = base.pathname.replace(/\/+$/, '')
  const transport = base.protocol === 'https:' ? https : http
  const agent = new transport.Agent({
    keepAlive: true,
    maxFreeSockets: connections,
  })
  const authorization = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }

  function attempt(request: EngineRequest): Promise<EngineResponse | 'stale'> {
    const { method, path, headers, body = [], signal, maxBytes, ownConnection } = request
    const length = body.reduce((sum, { byteLength }) => sum + byteLength, 0)
    return new Promise((resolve, reject) => {
      const outgoing = transport.request(base, {
        agent: ownConnection ? false : agent,
        method,
        path: `${prefix}${path}`,
        headers: {
          ...authorization,
          ...headers,
          ...(method === 'POST' && { 'content-length': length }),
        },
        signal,
      })
      outgoing.on('response', (incoming) => {
        readBody(incoming, maxBytes).then(
          (bytes) =>
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: bytes }),
          (error: unknown) => {
            outgoing.destroy()
            reject(signal.aborted ? (signal.reason as Error) : toEngineError(error))
          },
        )
      })
      outgoing.on('error', (error) => {
        if (signal.aborted) reject(signal.reason as Error)
        else if (outgoing.reusedSocket && errorCode(error) === 'ECONNRESET') resolve('stale')
        else reject(toEngineError(error))
      })
      for (const part of body) outgoing.write(part)
      outgoing.end()
    })
  }

  return {
    send: async (request) => {
      request.signal.throwIfAborted()
      // Each stale connection is gone from the pool afterwards, so at most `connections` requests meet one.
      for (let attempts = 0; attempts <= connections; attempts++) {
        const response = await attempt(request)
        if (response !== 'stale') return response
      }
      throw new EngineError('connection', 'closed its connections')
    },
    close: () => agent.destroy(),
  }
}

async function readBody(incoming: http.IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    length += chunk.byteLength
    if (length > maxBytes)
      throw new EngineError('malformed', `answered with more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  if (!incoming.complete) throw new EngineError('connection', 'broke off its answer')
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length)
}

function toEngineError(error: unknown): EngineError {
  if (error instanceof EngineError) return error
  const code = errorCode(error) ?? 'no code'
  return new EngineError('connection', `cannot be reached (${code})`, { cause: error })
}
