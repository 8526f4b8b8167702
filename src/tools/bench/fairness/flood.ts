import http from 'node:http'
import type { AttackTarget, Outcomes, StopAttack } from './attack.js'

const TICK_MS = 10

export interface AttackRequest {
  route: string
  body: Buffer
  headers?: Readonly<Record<string, string>>
  /** Breaks the connection once the answer so far contains this. */
  leaveAfter?: string
}

export interface FloodOptions {
  perSecond: number
  /** Requests without an answer at a time; beyond them the attacker waits. */
  maxOutstanding?: number
  nextRequest: () => AttackRequest
}

/**
 * Sends requests evenly spaced at a rate, whether or not earlier ones are answered. Bodies should be cheap to make: attacker,
 * victim and service share the machine.
 */
export function startFlood(
  target: AttackTarget,
  outcomes: Outcomes,
  { perSecond, maxOutstanding = 64, nextRequest }: FloodOptions,
): StopAttack {
  const agent = new http.Agent({ keepAlive: true, maxSockets: Infinity })
  let outstanding = 0
  let isStopped = false
  let dueAt = performance.now()
  const send = () => {
    outstanding += 1
    sendRequest(agent, target, nextRequest(), (outcome) => {
      if (isStopped) return
      outstanding -= 1
      outcomes.count(outcome)
    })
  }
  const timer = setInterval(() => {
    for (; dueAt <= performance.now(); dueAt += 1_000 / perSecond) {
      if (outstanding < maxOutstanding) send()
    }
  }, TICK_MS)
  return () => {
    clearInterval(timer)
    isStopped = true
    outcomes.count('unanswered', outstanding)
    agent.destroy()
  }
}

/** @param settle - gets the status, `left`, or `broken` for a connection that broke; called once */
function sendRequest(
  agent: http.Agent,
  { baseUrl, apiKey }: AttackTarget,
  { route, body, headers, leaveAfter }: AttackRequest,
  settle: (outcome: string | number) => void,
): void {
  let outcome: string | number = 'broken'
  const request = http.request(baseUrl + route, {
    method: 'POST',
    agent,
    headers: {
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
      'Content-Length': body.length,
      ...headers,
    },
  })
  request.once('response', (response) => {
    outcome = response.statusCode ?? outcome
    let received = ''
    response.on('data', (chunk: Buffer) => {
      if (leaveAfter === undefined) return
      received += chunk.toString()
      if (!received.includes(leaveAfter)) return
      outcome = 'left'
      request.destroy()
    })
    response.once('error', () => {})
  })
  request.once('error', () => {})
  request.once('close', () => settle(outcome))
  request.end(body)
}
