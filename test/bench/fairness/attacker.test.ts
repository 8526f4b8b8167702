import { afterEach, describe, expect, it } from '@jest/globals'
import { Outcomes, type AttackTarget } from '../../../src/tools/bench/fairness/attack.js'
import { startFlood } from '../../../src/tools/bench/fairness/flood.js'
import { holdSockets } from '../../../src/tools/bench/fairness/hold-sockets.js'
import { answerAtOnce, startStandIn, until, type StandInServer } from './_stand-in.js'

let server: StandInServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const targetOf = ({ baseUrl }: StandInServer): AttackTarget => ({
  baseUrl,
  apiKey: 'sk_test_key',
  requestsPerMinute: {
    'profile.infer_preferences': 600,
    'match.evaluate': 600,
    'conversation.openers': 600,
    events: 600,
  },
})

const request = { route: '/v1/match/evaluate', body: Buffer.from('{}') }

describe('a flood of requests', () => {
  it('sends with the key of the attacker, and counts the answers by status', async () => {
    server = await startStandIn(answerAtOnce)
    const outcomes = new Outcomes()
    const options = { perSecond: 100, nextRequest: () => request }
    const stop = startFlood(targetOf(server), outcomes, options)
    await until(() => (outcomes.toJson()['200'] ?? 0) >= 10)
    stop()
    expect(server.received[0]).toMatchObject({
      path: '/v1/match/evaluate',
      headers: { authorization: 'Bearer sk_test_key' },
    })
  })

  it('waits while as many requests as allowed are without an answer', async () => {
    server = await startStandIn(() => {})
    const outcomes = new Outcomes()
    const options = { perSecond: 1_000, maxOutstanding: 3, nextRequest: () => request }
    const stop = startFlood(targetOf(server), outcomes, options)
    await until(() => server!.received.length === 3)
    await new Promise((resolve) => setTimeout(resolve, 100))
    stop()
    expect(server.received).toHaveLength(3)
    expect(outcomes.toJson()).toEqual({ unanswered: 3 })
    await until(() => server!.openSockets.size === 0)
  })

  it('leaves a stream where it is asked to', async () => {
    let left = 0
    server = await startStandIn((_request, response) => {
      response.on('close', () => (left += response.writableFinished ? 0 : 1))
      response.write('event: opener.delta\n\n')
      response.write('event: opener\n\n')
    })
    const outcomes = new Outcomes()
    const nextRequest = () => ({ ...request, leaveAfter: 'event: opener\n' })
    const stop = startFlood(targetOf(server), outcomes, { perSecond: 50, nextRequest })
    await until(() => left > 0)
    stop()
    expect(outcomes.toJson().left).toBeGreaterThan(0)
  })
})

describe('held sockets', () => {
  it('are opened again when the server closes them, and closed at the end', async () => {
    server = await startStandIn(answerAtOnce)
    const outcomes = new Outcomes()
    const opening = 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '
    const sockets = { count: 5, openPerSecond: 1_000, opening }
    const stop = holdSockets(targetOf(server), outcomes, sockets)
    await until(() => server!.openSockets.size === 5)
    for (const socket of server.openSockets) socket.destroy()
    await until(() => server!.openSockets.size < 5)
    await until(() => server!.openSockets.size === 5)
    expect(outcomes.toJson().opened).toBeGreaterThan(5)
    stop()
    await until(() => server!.openSockets.size === 0)
  })
})
