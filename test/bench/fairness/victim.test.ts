import { afterEach, describe, expect, it } from '@jest/globals'
import { startChildTask } from '../../../src/tools/bench/fairness/child-task.js'
import { readRateLimits } from '../../../src/tools/bench/fairness/fairness-service.js'
import {
  startHealthProbe,
  type HealthSummary,
} from '../../../src/tools/bench/fairness/health-probe.js'
import { runPacedClients } from '../../../src/tools/bench/fairness/paced-clients.js'
import {
  createVictimCalls,
  mostCallsPerSecond,
  type VictimCall,
} from '../../../src/tools/bench/fairness/victim-calls.js'
import { answerAtOnce, startStandIn, until, type StandInServer } from './_stand-in.js'

const PROBE_PROCESS = new URL(
  '../../../dist/tools/bench/fairness/health-probe-process.js',
  import.meta.url,
)

let server: StandInServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const nextCall = (): VictimCall => ({
  kind: 'match',
  route: '/v1/match/evaluate',
  body: Buffer.from('{}'),
})
const load = { nextCall, clients: 2, perSecond: 40, seconds: 0.5 }

describe('the calls of the victim', () => {
  it('are a mix of all capabilities', () => {
    const next = createVictimCalls('req_0')
    const routes = new Set(Array.from({ length: 20 }, () => next().route))
    expect([...routes].sort()).toEqual([
      '/v1/conversation/openers',
      '/v1/events',
      '/v1/match/evaluate',
      '/v1/profile/infer-preferences',
    ])
  })

  it('never pair the same two persons again, so that no answer is remembered', () => {
    const next = createVictimCalls('req_0')
    const matches = Array.from({ length: 2_000 }, next).filter(({ kind }) => kind === 'match')
    expect(new Set(matches.map(({ body }) => body.toString())).size).toBe(matches.length)
  })

  it('stay below the rate limit that is reached first', () => {
    const limits = readRateLimits()
    expect(mostCallsPerSecond({ ...limits, 'conversation.openers': 60 })).toBeCloseTo(20)
    expect(mostCallsPerSecond({ ...limits, 'conversation.openers': 6 })).toBeCloseTo(2)
  })
})

describe('the clients of the victim', () => {
  it('send at an even rate', async () => {
    server = await startStandIn(answerAtOnce)
    const calls = await runPacedClients({ baseUrl: server.baseUrl, apiKey: 'key' }, load)
    expect(calls.every(({ status }) => status === 200)).toBe(true)
    // However late a busy machine sends them, each client's calls are due every 50 ms; then fewer fit into the time.
    const due = calls.map(({ endedMs, latencyMs }) => Math.round(endedMs - latencyMs))
    for (const firstDue of [0, 25]) {
      const ofClient = due.filter((ms) => ms % 50 === firstDue).sort((a, b) => a - b)
      expect(ofClient.length).toBeGreaterThan(0)
      expect(ofClient).toEqual(ofClient.map((_, i) => firstDue + 50 * i))
    }
    expect(due.every((ms) => ms % 25 === 0)).toBe(true)
  })

  it('wait for an answer before they send the next call, and count the delay as latency', async () => {
    let open = 0
    let most = 0
    server = await startStandIn((_request, response) => {
      most = Math.max(most, ++open)
      setTimeout(() => {
        open -= 1
        response.end('{}')
      }, 200)
    })
    const calls = await runPacedClients({ baseUrl: server.baseUrl, apiKey: 'key' }, load)
    expect(most).toBe(2)
    expect(calls.length).toBeLessThan(20)
    // The second call of a client is due after 50 ms and sent after 200.
    const longest = Math.max(...calls.map(({ latencyMs }) => latencyMs))
    expect(longest).toBeGreaterThan(300)
  })
})

describe('the probe of /healthz', () => {
  it('measures in a process of its own', async () => {
    server = await startStandIn(answerAtOnce)
    const probe = await startChildTask<HealthSummary>(PROBE_PROCESS, server.baseUrl)
    await until(() => server!.received.length >= 3)
    const { probes, failed, maxMs } = await probe.stop()
    expect(server.received[0]!.path).toBe('/healthz')
    expect(probes).toBeGreaterThanOrEqual(2)
    expect(failed).toBe(0)
    expect(maxMs).toBeGreaterThan(0)
  })

  it('counts answers other than 200 as failed', async () => {
    server = await startStandIn((_request, response) => response.writeHead(503).end())
    const stop = startHealthProbe(server.baseUrl)
    await until(() => server!.received.length >= 3)
    expect(stop().failed).toBeGreaterThanOrEqual(2)
  })

  it('counts how long it has waited for an answer that does not come', async () => {
    server = await startStandIn(() => {})
    const stop = startHealthProbe(server.baseUrl)
    await until(() => server!.received.length === 1)
    await new Promise((resolve) => setTimeout(resolve, 150))
    const { probes, failed, maxMs } = stop()
    expect(probes).toBe(1)
    expect(failed).toBe(1)
    expect(maxMs).toBeGreaterThan(140)
  })
})
