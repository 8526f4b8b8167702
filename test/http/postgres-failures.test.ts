import { sql } from 'kysely'
import pg from 'pg'
import { readJson } from '../_read-json.js'
import { describeOnPostgres } from '../_database.js'
import { createRecordingLog, until } from '../inference/workers/_fixture-host.js'
import { startService, type Service } from './_service.js'

let service: Service
let log: ReturnType<typeof createRecordingLog>
/** On the database of the server, beside that of the service. */
let server: pg.Client
let name: string

const ready = async () => {
  const answer = await fetch(`${service.baseUrl}/readyz`)
  return { status: answer.status, storage: (await readJson(answer)).storage }
}
const authenticate = () => service.post('/v1/events', [])
const changes = () => log.lines.filter(({ message }) => message.startsWith('the database can'))

/** Sets a property of the service's database and ends its connections, which then meet it. */
async function alter(text: string): Promise<void> {
  await server.query(`alter database ${name} ${text}`)
  await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    name.slice(1, -1),
  ])
}

describeOnPostgres('PostgreSQL', () => {
  beforeEach(async () => {
    log = createRecordingLog()
    service = await startService({ log })
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(
      service.context.db,
    )
    name = pg.escapeIdentifier(rows[0]!.name)
    server = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL })
    await server.connect()
  })
  afterEach(async () => {
    await server.end()
    await service.close()
  })

  it('that accepts no connections makes calls fail with 503 and the service unready, until it does', async () => {
    expect((await authenticate()).status).toBe(400)
    await alter('with allow_connections false')
    await until(async () => (await ready()).status === 503)
    const answer = await authenticate()
    expect([answer.status, answer.body.error]).toEqual([503, 'storage_unavailable'])
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    expect((await fetch(`${service.baseUrl}/healthz`)).status).toBe(200)
    await alter('with allow_connections true')
    await until(async () => (await ready()).status === 200)
    expect((await authenticate()).status).toBe(400)
    expect(changes().map(({ fields }) => fields?.state)).toEqual([expect.any(String), 'ok'])
  })

  it('that refuses writes makes the service unready, until it accepts them', async () => {
    await alter('set default_transaction_read_only = on')
    const write = () =>
      service.context.db
        .insertInto('service_metadata')
        .values({ name: 'of a test', value: Buffer.from('') })
        .execute()
    await until(async () => {
      await write().catch(() => {})
      return (await ready()).storage === 'read_only'
    })
    await alter('set default_transaction_read_only = off')
    await until(async () => (await ready()).storage === 'ok')
    expect((await ready()).status).toBe(200)
  })

  it('in which a transaction loses against another stays ready', async () => {
    const { db } = service.context
    const lock = (key: number) => sql`select pg_advisory_xact_lock(${sql.lit(key)})`
    const cross = (first: number, second: number) =>
      db.transaction().execute(async (transaction) => {
        await lock(first).execute(transaction)
        await new Promise((resolve) => setTimeout(resolve, 100))
        await lock(second).execute(transaction)
      })
    const outcomes = await Promise.allSettled([cross(1, 2), cross(2, 1)])
    const failures = outcomes.filter(({ status }) => status === 'rejected')
    expect(failures).toEqual([
      expect.objectContaining({ reason: expect.objectContaining({ failure: 'locked' }) }),
    ])
    expect(await ready()).toEqual({ status: 200, storage: 'ok' })
  })
})
