import { randomUUID } from 'node:crypto'
import { recordCall } from '../../src/events/record-call.js'
import { replyRateByStyle } from '../../src/events/reply-rate-by-style.js'
import type { EventScope } from '../../src/events/event-scope.js'
import { eventsResponseSchema } from '../../src/events/events-contract.js'
import { createKey } from '../../src/organizations/api-key.js'
import { dataUrl, startService, type Answer, type Service } from '../http/_service.js'
import { NOW, reply, sent } from './_event-store.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let service: Service
let scope: EventScope

beforeEach(async () => {
  service = await startService({ clock: () => NOW })
  const { organizationId } = await service.context.authenticate(`Bearer ${service.apiKey}`)
  scope = { organizationId, environment: 'test' }
  await recordCall(service.context.db, {
    ...scope,
    requestId: 'req_1',
    capability: 'conversation.openers',
    createdAt: NOW - HOUR,
    written: { tone: 'warm', openers: [{ style: 'open_question', length: 40 }] },
  })
})

afterEach(() => service.close())

const report = (records: unknown, headers?: Record<string, string>) =>
  service.post('/v1/events', records, headers)

async function countEvents(): Promise<number> {
  const { count } = await service.context.db
    .selectFrom('events')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

async function expectRefused(answer: Answer, location: string): Promise<void> {
  expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  expect(answer.body.message).toContain(location)
  expect(await countEvents()).toBe(0)
}

describe('POST /v1/events', () => {
  it('returns how many records are new and how many were already stored', async () => {
    const batch = [sent({ opener: 0 }), reply({ opener: 0 })]
    const first = await report([...batch, batch[0]])
    expect(first).toMatchObject({ status: 200, body: { accepted: 2, duplicates: 1 } })
    const { request_id } = eventsResponseSchema.parse(first.body)
    expect(request_id).toBe(first.headers.get('x-request-id'))
    expect(first.headers.get('x-service-capability')).toBe('events')
    const again = await report(batch)
    expect(again).toMatchObject({ status: 200, body: { accepted: 0, duplicates: 2 } })
    const [, rate] = await replyRateByStyle(service.context.db, {
      ...scope,
      from: NOW,
      to: NOW + 1,
    })
    expect(rate).toMatchObject({ style: 'open_question', sent: 1, replied: 1 })
  })

  it('accepts a batch of 1,000 and refuses one of 1,001 or none', async () => {
    const batch = (size: number) => Array.from({ length: size }, () => sent())
    await expectRefused(await report(batch(1_001)), 'body')
    await expectRefused(await report([]), 'body')
    await expectRefused(await report(sent()), 'body')
    expect(await report(batch(1_000))).toMatchObject({ status: 200, body: { accepted: 1_000 } })
  })

  it('refuses an event that is dated before its call', async () => {
    const ts = new Date(NOW - HOUR - 6 * MINUTE).toISOString()
    await expectRefused(await report([sent(), { ...sent(), ts }]), '[1].ts')
  })

  it('accepts an event about a call that was recorded before the clock was set back', async () => {
    const call = { ...scope, requestId: 'req_ahead', capability: 'match.evaluate' as const }
    await recordCall(service.context.db, { ...call, createdAt: NOW + 2 * HOUR, written: undefined })
    const record = { ...reply(), context: { originating_request_id: 'req_ahead' } }
    expect(await report([record])).toMatchObject({ status: 200 })
  })

  it('allows for a clock that is a few minutes behind', async () => {
    const ts = new Date(NOW - HOUR - 4 * MINUTE).toISOString()
    expect(await report([{ ...sent(), ts }])).toMatchObject({ status: 200 })
  })

  it.each(['2026-07-15T11:00:00Z', '2026-07-15T11:00:00.123456Z', '2026-07-15T11:00:00+00:00'])(
    'accepts the time %s',
    async (ts) => {
      expect(await report([{ ...sent(), ts }])).toMatchObject({ status: 200 })
    },
  )

  it.each([
    '2026-07-15T13:00:00+02:00',
    '2026-07-15T11:00:00',
    '2026-07-15 11:00:00Z',
    '2026-02-30T11:00:00Z',
    '2026-07-15',
    `2026-07-15T11:00:00.${'0'.repeat(100)}Z`,
    1_784_113_200,
    null,
  ])('refuses the time %p', async (ts) => {
    await expectRefused(await report([sent(), { ...sent(), ts }]), '[1].ts')
  })

  it.each([
    ['end_user_id', 'someone@example.com'],
    ['end_user_id', 'ab'.repeat(31)],
    ['end_user_id', undefined],
    ['event', 'opener_opened'],
    ['idempotency_key', 'once'],
    ['context', {}],
    ['context', { originating_request_id: 'req_1', opener_index: 5 }],
    ['context', { originating_request_id: 'req_1', opener_index: 0.5 }],
    ['context', { originating_request_id: 'req_1', note: 'x' }],
    ['context', { originating_request_id: 'req_1', opener_index: 1 }],
    ['context', { originating_request_id: `req_${'0'.repeat(100)}` }],
    ['context', { originating_request_id: 'req_2' }],
    ['context', null],
  ])(
    'refuses a batch whose third record has an invalid %s, and stores none of it',
    async (field, value) => {
      const batch = [sent(), sent(), { ...sent(), [field]: value }, sent()]
      await expectRefused(await report(batch), `[2].${field}`)
    },
  )

  it('refuses an unknown field', async () => {
    await expectRefused(await report([{ ...sent(), email: 'x' }]), '[0]')
  })

  it('never quotes a refused value', async () => {
    const answer = await report([{ ...sent(), end_user_id: 'someone@example.com' }])
    expect(answer.text).not.toContain('someone')
  })

  it('accepts openers of a call that was just answered', async () => {
    const openers = await service.post('/v1/conversation/openers', {
      sender: { id: 's', name: 'Sam' },
      recipient: { id: 'r', photos: [await dataUrl()], bio: 'Potter with a kiln and a cat.' },
      tone: 'witty',
      count: 2,
    })
    const { request_id: request, openers: written } = openers.body
    const unknown = await report([sent({ request, opener: 2 })])
    await expectRefused(unknown, '[0].context.opener_index')
    expect(await report([sent({ request, opener: 1 })])).toMatchObject({ status: 200 })
    const day = { ...scope, from: NOW, to: NOW + 1, tone: 'witty' as const }
    const rates = await replyRateByStyle(service.context.db, day)
    const [counted] = rates.filter((rate) => rate.sent > 0)
    expect(counted).toMatchObject({ style: written[1].style, sent: 1 })
  })

  it('refuses a request_id of another environment', async () => {
    const { apiKey } = await createKey(
      service.context,
      {
        organizationId: scope.organizationId,
        name: 'Live',
        environment: 'live',
        capabilities: ['events'],
      },
      { actor: 'test', now: NOW },
    )
    const answer = await report([sent()], { Authorization: `Bearer ${apiKey}` })
    await expectRefused(answer, '[0].context.originating_request_id')
  })

  it('refuses a key without the capability', async () => {
    const { apiKey } = await createKey(
      service.context,
      {
        organizationId: scope.organizationId,
        name: 'Match',
        environment: 'test',
        capabilities: ['match.evaluate'],
      },
      { actor: 'test', now: NOW },
    )
    const answer = await report([sent()], { Authorization: `Bearer ${apiKey}` })
    expect(answer).toMatchObject({ status: 403, body: { error: 'capability_not_allowed' } })
  })

  it('answers a retry as it answered the first request', async () => {
    const batch = [sent({ opener: 0 })]
    const headers = { 'X-Idempotency-Key': randomUUID() }
    const first = await report(batch, headers)
    const again = await report(batch, headers)
    expect(again.status).toBe(200)
    expect(again.text).toBe(first.text)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })
})
