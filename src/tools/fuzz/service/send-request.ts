import http from 'node:http'
import { Finding } from '../finding.js'

/** Longer than any call takes that is alone on the machine. */
const TIMEOUT_MS = 60_000

export interface FuzzRequest {
  method?: string
  path: string
  headers?: http.OutgoingHttpHeaders
  body?: Buffer | string
}

export interface FuzzAnswer {
  status: number
  headers: http.IncomingHttpHeaders
  text: string
}

/** Sends requests to one service over kept connections. */
export interface Sender {
  send(request: FuzzRequest): Promise<FuzzAnswer>
  close(): void
}

export function createSender(baseUrl: string): Sender {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 8 })
  const send = async (request: FuzzRequest): Promise<FuzzAnswer> => {
    try {
      return await sendOnce(baseUrl, request, agent)
    } catch (error) {
      if (error instanceof Finding) throw error
      // The service may close a kept connection at the moment of a request, so a failure counts on a new one only.
      return sendOnce(baseUrl, request, undefined)
    }
  }
  return { send, close: () => agent.destroy() }
}

function sendOnce(
  baseUrl: string,
  { method = 'POST', path, headers = {}, body = '' }: FuzzRequest,
  agent: http.Agent | undefined,
): Promise<FuzzAnswer> {
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const length = hasBody ? { 'Content-Length': Buffer.byteLength(body) } : {}
  return new Promise((resolve, reject) => {
    const request = http.request(baseUrl, {
      method,
      path,
      headers: { ...length, ...headers },
      ...(agent ? { agent } : { agent: false }),
    })
    const timer = setTimeout(() => {
      reject(new Finding(`no answer within ${TIMEOUT_MS / 1_000} s`))
      request.destroy()
    }, TIMEOUT_MS)
    request.once('close', () => clearTimeout(timer))
    request.on('error', reject)
    request.once('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
      })
    })
    request.end(hasBody ? body : undefined)
  })
}
