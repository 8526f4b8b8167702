import http from 'node:http'
import type { ServiceAddress } from '../service/start-service.js'
import { callAt, type CallTiming } from './open-loop.js'

export interface Response {
  /** 0 if the connection broke. */
  status: number
  /** Milliseconds by stage, from `Server-Timing`. */
  timing: Record<string, number>
}

/** A response with the time from when its request was due to its last byte. */
export type TimedResponse = Response & CallTiming

export interface Workload {
  route: string
  createBody: () => unknown
}

/**
 * Sends a request at each of the times.
 * @param times - from `drawArrivals`
 */
export async function sendAt(
  service: ServiceAddress,
  { route, nextBody }: { route: string; nextBody: () => Buffer },
  times: readonly number[],
): Promise<TimedResponse[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: Infinity })
  const responses = await callAt(times, () => sendCall(agent, service, { route, body: nextBody() }))
  agent.destroy()
  return responses
}

/** Successful answers per second with a fixed number of clients that each wait for their answer before the next request. */
export async function measureCapacity(
  service: ServiceAddress,
  { route, createBody }: Workload,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<number> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: Infinity })
  const startedAt = performance.now()
  const elapsed = () => (performance.now() - startedAt) / 1_000
  let served = 0
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (elapsed() < seconds) {
        const body = Buffer.from(JSON.stringify(createBody()))
        const { status } = await sendCall(agent, service, { route, body })
        if (status === 200) served += 1
      }
    }),
  )
  const perSecond = served / elapsed()
  agent.destroy()
  return perSecond
}

interface Call {
  route: string
  body: Buffer
  /** Breaks the connection when it aborts. */
  signal?: AbortSignal | undefined
}

/** Sends one call, and resolves with the last byte of its answer, never with an error. */
export function sendCall(
  agent: http.Agent,
  service: ServiceAddress,
  call: Call,
): Promise<Response> {
  const { route, body, signal } = call
  return new Promise((resolve) => {
    const headers = {
      Authorization: `Bearer ${service.apiKey}`,
      'Content-Type': 'application/json',
      'Content-Length': body.length,
      'X-Service-Synthetic': 'never',
    }
    const options = { method: 'POST', agent, headers, signal }
    const request = http.request(service.baseUrl + route, options)
    request.once('error', () => {
      // The server may close an idle connection just as it is reused.
      if (request.reusedSocket && !signal?.aborted) resolve(sendCall(agent, service, call))
      else resolve({ status: 0, timing: {} })
    })
    request.once('response', (response) => {
      // The connection broke before the end of the answer.
      response.once('error', () => resolve({ status: 0, timing: {} }))
      response.resume().once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          timing: parseServerTiming(String(response.headers['server-timing'] ?? '')),
        }),
      )
    })
    request.end(body)
  })
}

function parseServerTiming(header: string): Record<string, number> {
  return Object.fromEntries(
    [...header.matchAll(/(\w+);dur=([\d.]+)/g)].map(([, stage, ms]) => [stage, Number(ms)]),
  )
}
