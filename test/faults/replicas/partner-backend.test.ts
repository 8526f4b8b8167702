import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createKeyedCalls } from '../../../src/tools/faults/replicas/partners/keyed-call.js'
import { PartnerBackend } from '../../../src/tools/faults/replicas/partners/partner-backend.js'
import { seededRandom } from '../../../src/core/seeded-random.js'

type Reaction = 'answer' | 'break' | 'overloaded' | 'quota_exceeded' | 'invalid_request'

describe('a partner of the fault suite', () => {
  let server: http.Server
  let partner: PartnerBackend
  let reactions: Reaction[]
  let keys: string[]
  const [call] = createKeyedCalls(1, seededRandom(1))

  beforeEach(async () => {
    ;[reactions, keys] = [[], []]
    server = http.createServer((request, response) => {
      keys.push(request.headers['x-idempotency-key'] as string)
      const reaction = reactions.shift() ?? 'answer'
      if (reaction === 'break') return request.socket.destroy()
      const status = { overloaded: 503, quota_exceeded: 429, invalid_request: 400, answer: 200 }
      response.writeHead(status[reaction], { 'Content-Type': 'application/json', 'Retry-After': 0 })
      response.end(JSON.stringify({ error: reaction, message: '', request_id: 'req_1' }))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    partner = new PartnerBackend({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'sk_test_any' })
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  const sent = async () => {
    const one = { ...call! }
    await partner.send(one)
    return one
  }

  it('tries again with the same key, and counts every try', async () => {
    reactions = ['overloaded', 'break']
    expect(await sent()).toMatchObject({ outcome: 'answered' })
    expect(keys).toEqual(Array(3).fill(call!.idempotencyKey))
    expect(partner.describeTries()).toBe('503 ×1, 200 ×1, no answer ×1')
  })

  it('takes a refusal for the cap as an outcome', async () => {
    reactions = ['quota_exceeded']
    expect(await sent()).toMatchObject({ outcome: 'refused' })
    expect(keys).toHaveLength(1)
  })

  it('leaves the outcome open when no try was answered', async () => {
    reactions = Array<Reaction>(4).fill('overloaded')
    expect(await sent()).not.toHaveProperty('outcome')
  })

  it('fails when the service refuses the call as such', async () => {
    reactions = ['invalid_request']
    await expect(sent()).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('sends every call once', async () => {
    const calls = createKeyedCalls(20, seededRandom(2))
    await partner.sendAll(calls, { atOnce: 3 })
    expect([...keys].sort()).toEqual(calls.map(({ idempotencyKey }) => idempotencyKey).sort())
    expect(calls.every(({ outcome }) => outcome === 'answered')).toBe(true)
  })
})
