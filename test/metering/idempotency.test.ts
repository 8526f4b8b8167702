import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { ServiceError } from '../../src/core/service-error.js'
import { createIdempotency, type Idempotency } from '../../src/metering/idempotency.js'
import { deriveIdempotencySecrets } from '../../src/metering/idempotency-key.js'
import type { CallToMeter } from '../../src/metering/begin-call.js'
import { countUsage, type QuotaScope } from '../../src/metering/quota.js'
import { sweepExpired } from '../../src/metering/sweep-expired-records.js'
import { refuseWrites } from '../_database.js'
import {
  DAY,
  MINUTE,
  NOON,
  openStorage,
  SECOND,
  type StorageFixture,
} from '../organizations/_storage.js'
import { isOnPostgres } from '../_database.js'
import { runMetered } from './_run-metered.js'

let storage: StorageFixture
let scope: QuotaScope
let now: number
let idempotency: Idempotency
let executions: number

const clock = () => now

beforeEach(async () => {
  storage = await openStorage()
  scope = {
    organizationId: storage.organizationId,
    environment: 'live',
    capability: 'conversation.openers',
  }
  now = NOON
  executions = 0
  idempotency = startProcess()
})
afterEach(() => storage.remove())

/** The in-memory state of one server process; the database is shared. */
function startProcess(): Idempotency {
  return createIdempotency({ ...storage, clock })
}

interface Options extends Partial<Omit<CallToMeter, 'body'>> {
  body?: string
  process?: Idempotency
}

function call(options: Options, execute: () => Promise<string>) {
  const { process: memory = idempotency, body = '{"count":3}', ...rest } = options
  return runMetered(
    { db: storage.db, idempotency: memory, clock },
    {
      scope,
      limits: { hardCap: 10 },
      idempotencyKey: undefined,
      bodyDigest: Buffer.from(body),
      deadline: now + MINUTE,
      signal: new AbortController().signal,
      ...rest,
    },
    async () => {
      executions++
      return { answer: { body: await execute(), headers: {} } }
    },
  ).then(({ answer, ...rest }) => ({ answer: answer.body, ...rest }))
}

const answering = (text: string) => () => Promise.resolve(text)
const failing = (code: 'model_unavailable' | 'unsafe_content') => () =>
  Promise.reject(new ServiceError(code, 'no'))
const used = () => countUsage(storage.db, scope, now)
const setReadOnly = (isRefused: boolean) =>
  refuseWrites(storage.db, {
    to: ['idempotency_records', 'quota_leases', 'quota_usage'],
    isRefused,
  })

/** Work that runs until the test settles it. */
function pending() {
  let resolve!: (answer: string) => void
  let reject!: (error: unknown) => void
  const promise = new Promise<string>((onAnswer, onError) => {
    resolve = onAnswer
    reject = onError
  })
  return { resolve, reject, execute: () => promise }
}

/** Lets time pass for this process, and for the records, whose deadlines are by the clock of the database on PostgreSQL. */
async function passTime(milliseconds: number): Promise<void> {
  now += milliseconds
  if (!isOnPostgres) return
  await sql`update idempotency_records set deadline = deadline - ${milliseconds}`.execute(
    storage.db,
  )
}

async function untilRunning(count: number): Promise<void> {
  while (executions < count) await new Promise((resolve) => setImmediate(resolve))
}

describe('a request with an idempotency key', () => {
  it('is executed and charged once, and its answer replayed', async () => {
    const key = randomUUID()
    const first = await call({ idempotencyKey: key }, answering('{"a":"Grüße 👋"}'))
    const second = await call({ idempotencyKey: key }, answering('other'))
    expect(first).toEqual({ answer: '{"a":"Grüße 👋"}', replayed: false, used: 1 })
    expect(second).toEqual({ answer: '{"a":"Grüße 👋"}', replayed: true, used: undefined })
    expect([executions, await used()]).toEqual([1, 1])
  })

  it('is replayed after a restart', async () => {
    const key = randomUUID()
    await call({ idempotencyKey: key }, answering('first'))
    const replay = await call({ idempotencyKey: key, process: startProcess() }, answering('other'))
    expect(replay).toMatchObject({ answer: 'first', replayed: true })
  })

  it('is executed again at once when its answer could not be written', async () => {
    const key = randomUUID()
    const failed = call({ idempotencyKey: key }, async () => {
      await setReadOnly(true)
      return 'lost'
    })
    await expect(failed).rejects.toMatchObject({ code: 'storage_unavailable' })
    await setReadOnly(false)
    const retry = await call({ idempotencyKey: key }, answering('second'))
    expect(retry).toMatchObject({ answer: 'second', replayed: false, used: 1 })
  })

  it('is executed again at once although its retries could not be written either', async () => {
    const key = randomUUID()
    const failed = call({ idempotencyKey: key }, async () => {
      await setReadOnly(true)
      return 'lost'
    })
    await expect(failed).rejects.toMatchObject({ code: 'storage_unavailable' })
    for (let retry = 0; retry < 3; retry += 1) {
      const refused = call({ idempotencyKey: key }, answering('never'))
      await expect(refused).rejects.toMatchObject({ code: 'storage_unavailable' })
    }
    await setReadOnly(false)
    const last = await call({ idempotencyKey: key }, answering('last'))
    expect(last).toMatchObject({ answer: 'last', replayed: false, used: 1 })
  })

  it('is replayed even if the quota has been used up since', async () => {
    const key = randomUUID()
    await call({ idempotencyKey: key }, answering('first'))
    const limits = { hardCap: 1 }
    const replay = await call({ idempotencyKey: key, limits }, answering('other'))
    expect(replay).toMatchObject({ answer: 'first', replayed: true })
  })

  it('is refused with another body, during the first execution and afterwards', async () => {
    const key = randomUUID()
    const work = pending()
    const first = call({ idempotencyKey: key }, work.execute)
    await untilRunning(1)
    const other = () => call({ idempotencyKey: key, body: '{"count":4}' }, answering('other'))
    await expect(other()).rejects.toMatchObject({ code: 'idempotency_key_reused', status: 400 })
    work.resolve('first')
    await first
    await expect(other()).rejects.toMatchObject({ code: 'idempotency_key_reused' })
    expect(executions).toBe(1)
  })

  it('is independent of the same key in another environment or capability', async () => {
    const key = randomUUID()
    await call({ idempotencyKey: key }, answering('first'))
    const elsewhere: QuotaScope[] = [
      { ...scope, environment: 'test' },
      { ...scope, capability: 'match.evaluate' },
    ]
    for (const other of elsewhere) {
      const answer = await call({ idempotencyKey: key, scope: other }, answering('other'))
      expect(answer).toMatchObject({ answer: 'other', replayed: false })
    }
  })

  it('is forgotten after 24 hours', async () => {
    const key = randomUUID()
    await call({ idempotencyKey: key }, answering('first'))
    now = NOON + DAY - 1
    expect(await call({ idempotencyKey: key }, answering('x'))).toMatchObject({ replayed: true })
    now = NOON + DAY
    const anew = await call({ idempotencyKey: key }, answering('anew'))
    expect(anew).toMatchObject({ answer: 'anew', replayed: false })
  })

  it.each(['model_unavailable', 'unsafe_content'] as const)(
    'can be retried after %s',
    async (code) => {
      const key = randomUUID()
      const failed = call({ idempotencyKey: key }, failing(code))
      await expect(failed).rejects.toMatchObject({ code })
      const retry = await call({ idempotencyKey: key, body: 'changed' }, answering('second'))
      expect(retry).toEqual({ answer: 'second', replayed: false, used: 1 })
    },
  )
})

describe('concurrent duplicates', () => {
  it('share one execution, one charge and the answer', async () => {
    const key = randomUUID()
    const work = pending()
    const calls = Array.from({ length: 8 }, () => call({ idempotencyKey: key }, work.execute))
    await untilRunning(1)
    work.resolve('shared')
    const answers = await Promise.all(calls)
    expect(answers.map(({ answer }) => answer)).toEqual(Array(8).fill('shared'))
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1)
    expect([executions, await used()]).toEqual([1, 1])
  })

  it('share the error', async () => {
    const key = randomUUID()
    const work = pending()
    const calls = Array.from({ length: 3 }, () => call({ idempotencyKey: key }, work.execute))
    await untilRunning(1)
    work.reject(new ServiceError('model_unavailable', 'no'))
    const outcomes = await Promise.allSettled(calls)
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'model_unavailable' } })
    }
    expect([executions, await used()]).toEqual([1, 0])
  })

  it('execute themselves when the client of the first one disconnects', async () => {
    const key = randomUUID()
    const leaving = new AbortController()
    const work = pending()
    const first = call({ idempotencyKey: key, signal: leaving.signal }, work.execute)
    await untilRunning(1)
    const duplicate = call({ idempotencyKey: key }, answering('second'))
    leaving.abort()
    work.reject(leaving.signal.reason)
    await expect(first).rejects.toMatchObject({ name: 'AbortError' })
    expect(await duplicate).toEqual({ answer: 'second', replayed: false, used: 1 })
  })

  it('stop waiting when their own client disconnects', async () => {
    const key = randomUUID()
    const work = pending()
    const first = call({ idempotencyKey: key }, work.execute)
    await untilRunning(1)
    const leaving = new AbortController()
    const duplicate = call({ idempotencyKey: key, signal: leaving.signal }, answering('second'))
    leaving.abort()
    await expect(duplicate).rejects.toMatchObject({ name: 'AbortError' })
    work.resolve('first')
    expect(await first).toMatchObject({ answer: 'first' })
  })
})

describe('a crash between execution and storage', () => {
  /** Starts a call in a process that dies: its work never ends and its memory is lost. */
  async function crashDuringCall(key: string): Promise<void> {
    void call({ idempotencyKey: key }, pending().execute)
    await untilRunning(1)
    idempotency = startProcess()
  }

  it('lets a retry execute once the deadline has passed', async () => {
    const key = randomUUID()
    await crashDuringCall(key)
    const retry = call({ idempotencyKey: key, deadline: NOON + 3 * MINUTE }, answering('retry'))
    await passTime(2 * MINUTE)
    expect(await retry).toEqual({ answer: 'retry', replayed: false, used: 1 })
  })

  it('lets no execution answer or charge after a retry has taken over', async () => {
    const key = randomUUID()
    const slow = pending()
    const first = call({ idempotencyKey: key }, slow.execute)
    await untilRunning(1)
    await passTime(2 * MINUTE)
    const retry = await call({ idempotencyKey: key, process: startProcess() }, answering('retry'))
    slow.resolve('late')
    await expect(first).rejects.toMatchObject({ code: 'overloaded' })
    expect(retry).toMatchObject({ answer: 'retry' })
    const replay = await call({ idempotencyKey: key }, answering('other'))
    expect(replay).toMatchObject({ answer: 'retry', replayed: true })
    expect(await used()).toBe(1)
  })
})

describe('a stored answer', () => {
  const answer = '{"openers":[{"text":"That lighthouse behind you"}]}'

  it('cannot be decrypted with another idempotency key, or after a change', async () => {
    const key = randomUUID()
    await call({ idempotencyKey: key }, answering(answer))
    const { answer: encrypted } = await storage.db
      .selectFrom('idempotency_records')
      .select('answer')
      .executeTakeFirstOrThrow()
    const right = deriveIdempotencySecrets(storage.secret, scope, key)
    expect(right.unseal(encrypted!)).toBe(JSON.stringify({ body: answer, headers: {} }))
    const wrong = deriveIdempotencySecrets(storage.secret, scope, randomUUID())
    expect(() => wrong.unseal(encrypted!)).toThrow(expect.anything())
    encrypted![encrypted!.length - 1]! ^= 1
    expect(() => right.unseal(encrypted!)).toThrow(expect.anything())
  })

  it('is swept once it expires', async () => {
    await call({ idempotencyKey: randomUUID() }, answering('old'))
    now += SECOND
    const key = randomUUID()
    await call({ idempotencyKey: key }, answering('young'))
    now = NOON + DAY
    await sweepExpired(storage.db, now)
    const { rows } = await sql`select count(*) as records from idempotency_records`.execute(
      storage.db,
    )
    expect(rows).toEqual([{ records: 1 }])
    expect(await call({ idempotencyKey: key }, answering('x'))).toMatchObject({ answer: 'young' })
  })

  it('is swept in several batches if there are many', async () => {
    const records = Array.from({ length: 1_200 }, () => ({
      key_hash: randomBytes(32),
      body_hash: Buffer.alloc(32),
      execution_id: 'x',
      deadline: 0,
      expires_at: NOON,
    }))
    await storage.db.insertInto('idempotency_records').values(records).execute()
    await sweepExpired(storage.db, NOON)
    expect(await storage.db.selectFrom('idempotency_records').selectAll().execute()).toEqual([])
  })
})
