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

/** Takes so many connections until the returned function is called. */
function holdConnections(count: number): () => Promise<unknown> {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const holders = Array.from({ length: count }, () =>
    service.context.db.transaction().execute(async (transaction) => {
      await sql`select 1`.execute(transaction)
      await held
    }),
  )
  return async () => {
    release()
    await Promise.all(holders)
  }
}

describeOnPostgres('the metric of connections to PostgreSQL', () => {
  it('counts those in use and queries that wait for one', async () => {
    const { poolSize } = service.context.config.postgres!
    // One more than there are connections.
    const release = holdConnections(poolSize + 1)
    try {
      await until(async () => (await connections()).used === poolSize)
      expect((await connections()).waiting).toBeGreaterThanOrEqual(1)
      const text = await service.context.metrics.read()
      expect(text).toContain(`pis_database_connections_limit ${poolSize}\n`)
      expect(text).toMatch(
        /^pis_database_connection_wait_seconds_count\{outcome="connected"\} [1-9]/m,
      )
    } finally {
      await release()
    }
    await until(async () => (await connections()).waiting === 0)
  })
})

describeOnPostgres('a service whose connections to PostgreSQL are all in use', () => {
  it('refuses new calls as overloaded, and serves the one that waits', async () => {
    const { poolSize } = service.context.config.postgres!
    const release = holdConnections(poolSize)
    const { storage } = service.context
    const call = () => service.post('/v1/events', [])
    try {
      await until(async () => (await connections()).used === poolSize)
      storage.assertHasRoom()
      const waiting = call()
      await until(() => isRefused(storage))
      const refused = await call()
      expect([refused.status, refused.body.error]).toEqual([503, 'overloaded'])
      expect(refused.headers.get('retry-after')).toBe('1')
      expect((await fetch(`${service.baseUrl}/readyz`)).status).toBe(200)
      await release()
      // An empty list is no batch of events.
      expect((await waiting).body.error).toBe('invalid_request')
      expect((await call()).body.error).toBe('invalid_request')
    } finally {
      await release()
    }
  })
})

function isRefused(storage: Service['context']['storage']): boolean {
  try {
    storage.assertHasRoom()
    return false
  } catch {
    return true
  }
}

describeOnSqlite('the metric of connections to PostgreSQL', () => {
  it('has no values on SQLite', async () => {
    expect(await connections()).toEqual({})
  })
})
