import http from 'node:http'
import type { ServiceAddress } from '../service/start-service.js'
import { callAt, type CallTiming } from './open-loop.js'

interface Response {
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
  const responses = await callAt(times, () => send(agent, service, route, nextBody()))
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
        const { status } = await send(agent, service, route, body)
        if (status === 200) served += 1
      }
    }),
  )
  const perSecond = served / elapsed()
  agent.destroy()
  return perSecond
}

function send(
  agent: http.Agent,
  service: ServiceAddress,
  route: string,
  body: Buffer,
): Promise<Response> {
  return new Promise((resolve) => {
    const headers = {
      Authorization: `Bearer ${service.apiKey}`,
      'Content-Type': 'application/json',
      'Content-Length': body.length,
      'X-Service-Synthetic': 'never',
    }
    const request = http.request(service.baseUrl + route, { method: 'POST', agent, headers })
    request.once('error', () => {
      // The server may close an idle connection just as it is reused.
      if (request.reusedSocket) resolve(send(agent, service, route, body))
      else resolve({ status: 0, timing: {} })
    })
    request.once('response', (response) => {
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
