import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { ServiceError } from '../../src/core/service-error.js'
import type { Database } from '../../src/database/open-database.js'
import { Replica } from '../../src/database/postgres/replica.js'
import type { CallToMeter } from '../../src/metering/begin-call.js'
import { createIdempotency, type Idempotency } from '../../src/metering/idempotency.js'
import { countUsage, type QuotaScope } from '../../src/metering/quota.js'
import { sweepExpired } from '../../src/metering/sweep-expired-records.js'
import { describeOnPostgres, openTestDatabase } from '../_database.js'
import { MINUTE, openStorage, SECOND, type StorageFixture } from '../organizations/_storage.js'
import { runMetered } from './_run-metered.js'

/** What a server has of its own: connections, memory, and its place among the replicas. */
interface Server {
  db: Database
  replica: Replica
  idempotency: Idempotency
}

interface Options extends Partial<CallToMeter> {
  on: Server
  body?: string
}

describeOnPostgres('a request with an idempotency key that several replicas get', () => {
  let storage: StorageFixture
  let scope: QuotaScope
  let executions: number
  let servers: Server[]
  let one: Server
  let other: Server

  beforeEach(async () => {
    storage = await openStorage()
    const { organizationId } = storage
    scope = { organizationId, environment: 'live', capability: 'conversation.openers' }
    executions = 0
    servers = []
    one = await startServer()
    other = await startServer()
  })
  afterEach(async () => {
    for (const { db, replica } of servers) {
      await replica.leave()
      await db.destroy()
    }
    await storage.remove()
  })

  async function startServer(uptime?: () => number): Promise<Server> {
    const db = await openTestDatabase(storage.dataDir)
    const quiet = { onLost: () => {}, onRecovery: () => {} }
    // It beats only when a test says so.
    const replica = await Replica.join(db, {
      ...quiet,
      intervalMs: MINUTE,
      ...(uptime && { uptime }),
    })
    const idempotency = createIdempotency({ ...storage, db, clock: Date.now, replica })
    const server = { db, replica, idempotency }
    servers.push(server)
    return server
  }

  function call({ on, body = '{"count":3}', ...rest }: Options, execute: () => Promise<string>) {
    return runMetered(
      { db: on.db, idempotency: on.idempotency, clock: Date.now },
      {
        scope,
        limits: { hardCap: 10 },
        idempotencyKey: undefined,
        bodyDigest: Buffer.from(body),
        deadline: Date.now() + MINUTE,
        signal: new AbortController().signal,
        ...rest,
      },
      async () => {
        executions++
        return { answer: { body: await execute(), headers: {} } }
      },
    ).then(({ answer, replayed }) => ({ answer: answer.body, replayed }))
  }

  const answering = (text: string) => () => Promise.resolve(text)
  const used = () => countUsage(storage.db, scope, Date.now())
  const records = () => storage.db.selectFrom('idempotency_records').selectAll().execute()
  const setLastBeat = ({ replica }: Server, ago: number) =>
    sql`update replicas set beat_at = beat_at - ${ago} where id = ${replica.id}`.execute(storage.db)

  /** A call that runs until the test settles it. */
  async function start(options: Options) {
    const before = executions
    let resolve!: (answer: string) => void
    let reject!: (error: unknown) => void
    const work = new Promise<string>((onAnswer, onError) => {
      resolve = onAnswer
      reject = onError
    })
    const outcome = call(options, () => work)
    outcome.catch(() => {})
    while (executions === before) await pause(5)
    return { resolve, reject, outcome }
  }

  /** Long enough for a duplicate that waits to look several times. */
  const pause = (milliseconds = 400) => new Promise((resolve) => setTimeout(resolve, milliseconds))

  it('is executed and charged once, and all get its answer', async () => {
    const key = randomUUID()
    const first = await start({ on: one, idempotencyKey: key })
    const duplicates = [one, other, other, other].map((on) =>
      call({ on, idempotencyKey: key }, answering('other')),
    )
    await pause()
    first.resolve('first')
    expect(await first.outcome).toEqual({ answer: 'first', replayed: false })
    for (const duplicate of await Promise.all(duplicates)) {
      expect(duplicate).toEqual({ answer: 'first', replayed: true })
    }
    expect([executions, await used()]).toEqual([1, 1])
  })

  it('is replayed by another replica than the one that answered', async () => {
    const key = randomUUID()
    await call({ on: one, idempotencyKey: key }, answering('first'))
    const replay = await call({ on: other, idempotencyKey: key }, answering('other'))
    expect(replay).toEqual({ answer: 'first', replayed: true })
  })

  it('is executed once by many that arrive at the same time', async () => {
    const key = randomUUID()
    const calls = Array.from({ length: 20 }, (_, index) =>
      call({ on: index % 2 ? one : other, idempotencyKey: key }, async () => {
        await pause(50)
        return 'shared'
      }),
    )
    const answers = await Promise.all(calls)
    expect(answers.map(({ answer }) => answer)).toEqual(Array(20).fill('shared'))
    expect([executions, await used()]).toEqual([1, 1])
  })

  it('fails with the same error for those that wait, and can be retried at once', async () => {
    const key = randomUUID()
    const first = await start({ on: one, idempotencyKey: key })
    const duplicates = [other, other].map((on) =>
      call({ on, idempotencyKey: key }, answering('never')),
    )
    const outcomes = Promise.allSettled(duplicates)
    await pause()
    const options = { retryAfterSeconds: 7 }
    first.reject(new ServiceError('model_unavailable', 'Wait for the model.', options))
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { code: 'model_unavailable', message: 'Wait for the model.', ...options },
      })
    }
    expect([executions, await used()]).toEqual([1, 0])
    const retry = call({ on: other, idempotencyKey: key, body: 'changed' }, answering('second'))
    expect(await retry).toEqual({ answer: 'second', replayed: false })
    expect(await used()).toBe(1)
  })

  it('hides its error from who has only the database, and forgets it', async () => {
    const failing = () => Promise.reject(new ServiceError('unsafe_content', 'A bio is unsafe.'))
    const failed = call({ on: one, idempotencyKey: randomUUID() }, failing)
    await expect(failed).rejects.toMatchObject({ code: 'unsafe_content' })
    const [record] = await records()
    expect(record!.failure!.toString('latin1')).not.toMatch(/unsafe/)
    await sweepExpired(storage.db, Date.now() + 10 * SECOND)
    expect(await records()).toEqual([])
  })

  it('does not count as a retry after it has failed', async () => {
    const key = randomUUID()
    const failed = call({ on: one, idempotencyKey: key }, () =>
      Promise.reject(new ServiceError('model_unavailable', 'no')),
    )
    await expect(failed).rejects.toMatchObject({ code: 'model_unavailable' })
    expect(await other.idempotency.isRetry(scope, key)).toBe(false)
  })

  it('is refused with another body while another replica executes it', async () => {
    const key = randomUUID()
    const first = await start({ on: one, idempotencyKey: key })
    const otherBody = call({ on: other, idempotencyKey: key, body: 'other' }, answering('other'))
    await expect(otherBody).rejects.toMatchObject({ code: 'idempotency_key_reused' })
    first.resolve('first')
    await first.outcome
  })

  it('is taken over when its replica dies, long before its deadline, and is charged once', async () => {
    const key = randomUUID()
    const first = await start({ on: one, idempotencyKey: key })
    const duplicate = call({ on: other, idempotencyKey: key }, answering('second'))
    await setLastBeat(one, 15 * SECOND)
    expect(await duplicate).toEqual({ answer: 'second', replayed: false })
    // The replica was only paused.
    first.resolve('late')
    await expect(first.outcome).rejects.toMatchObject({ code: 'overloaded', status: 503 })
    const replay = await call({ on: one, idempotencyKey: key }, answering('third'))
    expect(replay).toEqual({ answer: 'second', replayed: true })
    expect(await used()).toBe(1)
  })

  it('is not taken over while its replica only beats late', async () => {
    const key = randomUUID()
    const first = await start({ on: one, idempotencyKey: key })
    await setLastBeat(one, 10 * SECOND)
    const duplicate = call({ on: other, idempotencyKey: key }, answering('second'))
    await pause()
    first.resolve('first')
    expect(await duplicate).toEqual({ answer: 'first', replayed: true })
    expect(executions).toBe(1)
  })

  it('is taken over at once when its replica has stopped', async () => {
    const key = randomUUID()
    await start({ on: one, idempotencyKey: key })
    await one.replica.leave()
    const duplicate = await call({ on: other, idempotencyKey: key }, answering('second'))
    expect(duplicate).toEqual({ answer: 'second', replayed: false })
  })

  it('is taken over by one of those that wait', async () => {
    const key = randomUUID()
    await start({ on: one, idempotencyKey: key })
    const duplicates = [other, await startServer(), other, await startServer()].map((on) =>
      call({ on, idempotencyKey: key }, async () => {
        await pause()
        return 'second'
      }),
    )
    await setLastBeat(one, 15 * SECOND)
    const answers = await Promise.all(duplicates)
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1)
    expect(answers.map(({ answer }) => answer)).toEqual(Array(4).fill('second'))
    expect([executions, await used()]).toEqual([2, 1])
  })

  it('is taken over when its deadline has passed, by the clock of the database', async () => {
    const key = randomUUID()
    await start({ on: one, idempotencyKey: key })
    const duplicate = call({ on: other, idempotencyKey: key }, answering('second'))
    await pause()
    expect(executions).toBe(1)
    await sql`update idempotency_records set deadline = deadline - ${2 * MINUTE}`.execute(
      storage.db,
    )
    expect(await duplicate).toEqual({ answer: 'second', replayed: false })
  })

  it('is executed by another replica when the client of the first one has left', async () => {
    const key = randomUUID()
    const leaving = new AbortController()
    const first = await start({ on: one, idempotencyKey: key, signal: leaving.signal })
    const duplicate = call({ on: other, idempotencyKey: key }, answering('second'))
    leaving.abort()
    first.reject(leaving.signal.reason)
    expect(await duplicate).toEqual({ answer: 'second', replayed: false })
  })

  it('is waited for no longer than the client of a duplicate does', async () => {
    const key = randomUUID()
    const first = await start({ on: one, idempotencyKey: key })
    const leaving = new AbortController()
    const duplicate = call(
      { on: other, idempotencyKey: key, signal: leaving.signal },
      answering('x'),
    )
    leaving.abort()
    await expect(duplicate).rejects.toMatchObject({ name: 'AbortError' })
    first.resolve('first')
    expect(await first.outcome).toMatchObject({ answer: 'first' })
  })

  it('is executed soon by another replica when the first one could not give it back', async () => {
    const key = randomUUID()
    const signal = new AbortController().signal
    const request = { scope, key, body: Buffer.from(''), deadline: Date.now() + MINUTE, signal }
    const claim = await one.idempotency.claim(request)
    // Each connection that is refused a write is given up, and the next one can write.
    const setReadOnly = sql`set session characteristics as transaction read only`
    await setReadOnly.execute(one.db)
    const ended = 'execution' in claim && claim.execution.end('abandoned')
    await expect(ended).rejects.toMatchObject({ code: 'storage_unavailable' })
    expect(await records()).toHaveLength(1)
    const next = await other.idempotency.claim({ ...request, signal: AbortSignal.timeout(20_000) })
    expect(next).toHaveProperty('execution')
  })

  it('is executed only by a replica that is known to live', async () => {
    let now = 0
    const paused = await startServer(() => now)
    now = MINUTE
    await setLastBeat(paused, MINUTE)
    const key = randomUUID()
    const first = await start({ on: paused, idempotencyKey: key })
    const duplicate = call({ on: other, idempotencyKey: key }, answering('second'))
    await pause()
    first.resolve('first')
    expect(await duplicate).toEqual({ answer: 'first', replayed: true })
    expect(executions).toBe(1)
  })
})
