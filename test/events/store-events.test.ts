import fs from 'node:fs/promises'
import path from 'node:path'
import type { EventRecord } from '../../src/events/events-contract.js'
import { recordCall } from '../../src/events/record-call.js'
import type { ServiceError } from '../../src/core/service-error.js'
import {
  DAY,
  LIVE,
  NOW,
  openEventStore,
  OTHER,
  reply,
  sent,
  TEST,
  type EventStore,
} from './_event-store.js'

let store: EventStore

beforeEach(async () => {
  store = await openEventStore()
  await store.openersCall('req_1', ['open_question', 'photo_callback', 'open_question'])
})

afterEach(() => store.remove())

const KEY = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'

async function countRows(): Promise<Record<string, number>> {
  const tables = [
    'events',
    'end_users',
    'end_user_weeks',
    'retention_cohorts',
    'opener_outcomes',
    'reply_rate_days',
  ] as const
  const counts = await Promise.all(
    tables.map(async (table) => {
      const { count } = await store.db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return [table, count] as const
    }),
  )
  return Object.fromEntries(counts)
}

async function refusal(records: readonly EventRecord[], scope = LIVE): Promise<ServiceError> {
  const before = await countRows()
  const error = await store.store(records, scope).then(
    () => undefined,
    (thrown: unknown) => thrown as ServiceError,
  )
  expect(error).toMatchObject({ code: 'invalid_request' })
  expect(await countRows()).toEqual(before)
  return error as ServiceError
}

describe('a batch of events', () => {
  it('is stored whole', async () => {
    const batch = [sent({ opener: 0, user: 'u' }), reply({ opener: 0, user: 'v', at: NOW + DAY })]
    expect(await store.store(batch)).toEqual({ accepted: 2, duplicates: 0 })
    const rows = await store.db.selectFrom('events').selectAll().orderBy('happened_at').execute()
    expect(rows).toMatchObject([
      { event: 'opener_sent', happened_at: NOW, received_at: NOW, opener_index: 0 },
      { event: 'conversation_reply', happened_at: NOW + DAY, received_at: NOW, opener_index: 0 },
    ])
    expect(rows.map((row) => row.idempotency_key.toString('hex'))).toEqual(
      batch.map((record) => record.idempotency_key.replaceAll('-', '')),
    )
  })

  it('can hold a thousand records', async () => {
    const batch = Array.from({ length: 1_000 }, (_, index) => sent({ user: `user ${index}` }))
    expect(await store.store(batch)).toEqual({ accepted: 1_000, duplicates: 0 })
    expect(await countRows()).toMatchObject({ events: 1_000, end_users: 1_000 })
  })

  it('stores a record once, however often it is sent', async () => {
    const record = sent({ key: KEY })
    const again = sent({ key: KEY.toUpperCase(), at: NOW - DAY, user: 'someone else' })
    expect(await store.store([record, again, sent()])).toEqual({ accepted: 2, duplicates: 1 })
    const before = await countRows()
    expect(await store.store([again, record])).toEqual({ accepted: 0, duplicates: 2 })
    expect(await countRows()).toEqual(before)
    const { happened_at } = await store.db
      .selectFrom('events')
      .select('happened_at')
      .where('idempotency_key', '=', Buffer.from(KEY.replaceAll('-', ''), 'hex'))
      .executeTakeFirstOrThrow()
    expect(happened_at).toBe(NOW)
  })

  it('stores a record once when two batches with it arrive together', async () => {
    const batch = Array.from({ length: 50 }, () => sent())
    const [first, second] = await Promise.all([store.store(batch), store.store(batch)])
    expect(first.accepted + second.accepted).toBe(50)
    expect(await countRows()).toMatchObject({ events: 50 })
  })

  it('keeps idempotency keys of organisations and environments apart', async () => {
    for (const scope of [TEST, OTHER]) {
      const requestId = `req_${scope.organizationId.slice(4)}${scope.environment}`
      await recordCall(store.db, {
        ...scope,
        requestId,
        capability: 'match.evaluate',
        createdAt: NOW,
      })
      const stored = await store.store([reply({ key: KEY, request: requestId })], scope)
      expect(stored).toEqual({ accepted: 1, duplicates: 0 })
    }
    expect(await store.store([sent({ key: KEY })])).toEqual({ accepted: 1, duplicates: 0 })
  })
})

describe('a batch with one invalid record is refused and none of it is stored:', () => {
  const good = () => sent({ opener: 0 })

  it('an unknown request', async () => {
    const error = await refusal([good(), good(), sent({ request: 'req_none' })])
    expect(error.message).toContain('[2].context.originating_request_id')
  })

  it.each([
    ['another organisation', OTHER],
    ['another environment', TEST],
  ])('a request of %s', async (_owner, scope) => {
    await refusal([reply()], scope)
    // Also if that scope has calls itself.
    const own = { ...scope, requestId: 'req_own', createdAt: NOW }
    await recordCall(store.db, { ...own, capability: 'match.evaluate' })
    const error = await refusal([reply({ request: 'req_own' }), reply()], scope)
    expect(error.message).toContain('[1].context.originating_request_id')
  })

  it('an opener that the call did not return', async () => {
    const error = await refusal([good(), sent({ opener: 3 })])
    expect(error.message).toContain('[1].context.opener_index')
    expect(await store.store([sent({ opener: 2 })])).toMatchObject({ accepted: 1 })
  })

  it('an opener of a call that writes none', async () => {
    const match = { ...LIVE, requestId: 'req_m', createdAt: NOW }
    await recordCall(store.db, { ...match, capability: 'match.evaluate' })
    await refusal([sent({ request: 'req_m' })])
    await refusal([reply({ request: 'req_m', opener: 0 })])
    expect(await store.store([reply({ request: 'req_m' })])).toMatchObject({ accepted: 1 })
  })

  it('a time more than a day ahead or before 2020', async () => {
    const error = await refusal([good(), sent({ at: NOW + DAY + 1 })])
    expect(error.message).toContain('[1].ts')
    await refusal([sent({ at: Date.UTC(2020, 0, 1) - 1 })])
    const edges = [sent({ at: NOW + DAY }), sent({ at: Date.UTC(2020, 0, 1) })]
    expect(await store.store(edges)).toMatchObject({ accepted: 2 })
  })

  it('many records, of which the message names the first and counts the rest', async () => {
    const error = await refusal(Array.from({ length: 30 }, () => sent({ request: 'req_none' })))
    expect(error.message).toContain('[4].')
    expect(error.message).not.toContain('[5].')
    expect(error.message).toContain('25')
  })
})

describe('recordCall', () => {
  it('stores styles and lengths but no text', async () => {
    const text = 'Your kiln looks like a dragon'
    const opener = { style: 'open_question' as const, length: 29, text }
    const call = { ...LIVE, requestId: 'req_2', createdAt: NOW }
    await recordCall(store.db, {
      ...call,
      capability: 'conversation.openers',
      written: { tone: 'warm', openers: [opener] },
    })
    const row = await store.db
      .selectFrom('service_calls')
      .selectAll()
      .where('request_id', '=', 'req_2')
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ capability: 'conversation.openers', created_at: NOW, tone: 'warm' })
    expect(JSON.parse(row.openers ?? '')).toEqual([{ style: 'open_question', length: 29 }])
    await store.db.destroy()
    for (const file of await fs.readdir(store.dataDir)) {
      expect((await fs.readFile(path.join(store.dataDir, file))).includes(text)).toBe(false)
    }
  })

  it('does nothing the second time', async () => {
    await store.openersCall('req_1', ['confident_direct'])
    expect(await store.store([sent({ opener: 2 })])).toMatchObject({ accepted: 1 })
  })
})
