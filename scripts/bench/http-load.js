import http from 'node:http'
import { callAt } from './open-loop.js'

/**
 * @typedef {object} Answer
 * @property {number} status 0 when the connection broke
 * @property {number} dueMs when it should have been sent, since the start
 * @property {number} latencyMs from then to its last byte: a generator or server that falls behind hides nothing
 * @property {Record<string, number>} timing milliseconds by stage, from `Server-Timing`
 */

/** @typedef {{ route: string, body: () => unknown }} Workload */

/**
 * Sends requests at these times.
 * @param {{ baseUrl: string, apiKey: string }} server
 * @param {{ route: string, nextBody: () => Buffer }} requests
 * @param {readonly number[]} times - as of `drawArrivals`
 * @returns {Promise<Answer[]>}
 */
export async function sendAt(server, { route, nextBody }, times) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: Infinity })
  const answers = await callAt(times, () => send(agent, server, route, nextBody()))
  agent.destroy()
  return answers
}

/**
 * Keeps so many requests in flight and gives the answers a second: what the server can do at most.
 * @param {{ baseUrl: string, apiKey: string }} server
 * @param {Workload} workload
 * @param {{ clients: number, seconds: number }} load
 */
export async function measureCapacity(server, workload, { clients, seconds }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: Infinity })
  const startedAt = performance.now()
  let served = 0
  const elapsed = () => (performance.now() - startedAt) / 1_000
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (elapsed() < seconds) {
        const body = Buffer.from(JSON.stringify(workload.body()))
        const { status } = await send(agent, server, workload.route, body)
        if (status === 200) served += 1
      }
    }),
  )
  const perSecond = served / elapsed()
  agent.destroy()
  return perSecond
}

/**
 * @param {http.Agent} agent
 * @param {{ baseUrl: string, apiKey: string }} server
 * @param {string} route
 * @param {Buffer} body
 * @returns {Promise<{ status: number, timing: Record<string, number> }>}
 */
function send(agent, { baseUrl, apiKey }, route, body) {
  return new Promise((resolve) => {
    const headers = {
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
      'Content-Length': body.length,
      'X-Service-Synthetic': 'never',
    }
    const request = http.request(baseUrl + route, { method: 'POST', agent, headers })
    request.once('error', () => {
      // The server may close an idle connection at the moment it is used again.
      if (request.reusedSocket) resolve(send(agent, { baseUrl, apiKey }, route, body))
      else resolve({ status: 0, timing: {} })
    })
    request.once('response', (response) => {
      response.resume().once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          timing: readServerTiming(String(response.headers['server-timing'] ?? '')),
        }),
      )
    })
    request.end(body)
  })
}

function readServerTiming(/** @type {string} */ header) {
  return Object.fromEntries(
    [...header.matchAll(/(\w+);dur=([\d.]+)/g)].map(([, stage, ms]) => [stage, Number(ms)]),
  )
}
