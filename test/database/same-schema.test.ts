import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { openDatabase } from '../../src/database/open-database.js'
import { describeOnPostgres, dropTestDatabase, openTestDatabase } from '../_database.js'
import { readPostgresFacts, readSqliteFacts } from './_schema-facts.js'

/**
 * Events on PostgreSQL are partitioned by month, and so have their keys in a table of their own. SQLite has no replicas, and a single
 * server counts rates in memory.
 */
const ONLY_ON_SQLITE = [
  'events (call_id) refers to service_calls',
  'events (end_user_id) refers to end_users',
  'events (scope_id) refers to event_scopes',
  'events has the primary key (scope_id, idempotency_key)',
]
const ONLY_ON_POSTGRES = [
  'event_keys has the primary key (scope_id, idempotency_key)',
  'event_keys.idempotency_key is never null',
  'event_keys.scope_id is never null',
  'events has an index on (call_id)',
  'events has an index on (end_user_id)',
  'events has an index on (happened_at)',
  'idempotency_records.failure may be null',
  'idempotency_records.replica_id may be null',
  'rate_windows has the primary key (key)',
  'rate_windows.attempts is never null',
  'rate_windows.key is never null',
  'rate_windows.requests is never null',
  'rate_windows.second is never null',
  'replicas has the primary key (id)',
  'replicas.beat_at is never null',
  'replicas.id is never null',
  'service_calls has an index on (created_at)',
]

describeOnPostgres('the schema', () => {
  let dataDir: string
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(os.tmpdir(), 'schema-'))
  })
  afterEach(async () => {
    await dropTestDatabase(dataDir)
    await rm(dataDir, { recursive: true })
  })

  it('has the same tables, columns, keys and indexes on both databases, but for what is meant to differ', async () => {
    await (await openDatabase(dataDir)).destroy()
    const sqlite = readSqliteFacts(dataDir)
    const db = await openTestDatabase(dataDir)
    const postgres = await readPostgresFacts(db)
    await db.destroy()
    expect([...sqlite].filter((fact) => !postgres.has(fact)).toSorted()).toEqual(ONLY_ON_SQLITE)
    expect([...postgres].filter((fact) => !sqlite.has(fact)).toSorted()).toEqual(ONLY_ON_POSTGRES)
    expect(sqlite.size).toBeGreaterThan(200)
  })
})
