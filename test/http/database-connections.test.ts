import { sql } from 'kysely'
import { describeOnPostgres, describeOnSqlite } from '../_database.js'
import { until } from '../inference/workers/_fixture-host.js'
import { startService, type Service } from './_service.js'

let service: Service

/** The gauge of connections by state; empty without values. */
async function connections(): Promise<Record<string, number>> {
  const text = await service.context.metrics.read()
  const lines = text.matchAll(/^pis_database_connections\{state="(\w+)"\} (\d+)$/gm)
  return Object.fromEntries([...lines].map(([, state, count]) => [state, Number(count)]))
}

beforeEach(async () => {
  service = await startService()
})
afterEach(() => service.close())

describeOnPostgres('the metric of connections to PostgreSQL', () => {
  it('counts those in use and queries that wait for one', async () => {
    const { db, config } = service.context
    const poolSize = config.postgres!.poolSize
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    // One more than there are connections.
    const holders = Array.from({ length: poolSize + 1 }, () =>
      db.transaction().execute(async (transaction) => {
        await sql`select 1`.execute(transaction)
        await held
      }),
    )
    try {
      await until(async () => (await connections()).used === poolSize)
      expect((await connections()).waiting).toBeGreaterThanOrEqual(1)
    } finally {
      release()
      await Promise.all(holders)
    }
    await until(async () => (await connections()).waiting === 0)
  })
})

describeOnSqlite('the metric of connections to PostgreSQL', () => {
  it('has no values on SQLite', async () => {
    expect(await connections()).toEqual({})
  })
})
