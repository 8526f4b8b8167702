import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { ORGANIZATION_TABLES, UNOWNED_TABLES } from '../../src/data-rights/organization-tables.js'
import { dropTestDatabase, isOnPostgres, openTestDatabase } from '../_database.js'

const TABLES_OF_SQLITE = sql<{ name: string }>`
  select name from sqlite_schema where type = 'table'
  and name not like 'kysely%' and name not like 'sqlite%'
`
/**
 * Without partitions; without the keys of events, which come and go with the events; without the running servers; without rates,
 * which are forgotten after two minutes.
 */
const TABLES_OF_POSTGRES = sql<{ name: string }>`
  select relname as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
  and relname not like 'kysely%' and relname not in ('event_keys', 'rate_windows', 'replicas')
`

describe('ORGANIZATION_TABLES', () => {
  it('and UNOWNED_TABLES list every table of the schema', async () => {
    const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'tables-'))
    const db = await openTestDatabase(dataDir)
    try {
      const { rows } = await (isOnPostgres ? TABLES_OF_POSTGRES : TABLES_OF_SQLITE).execute(db)
      const known = [...ORGANIZATION_TABLES.map(({ table }) => table), ...UNOWNED_TABLES]
      expect(known.sort()).toEqual(rows.map(({ name }) => name).sort())
    } finally {
      await db.destroy()
      await dropTestDatabase(dataDir)
      await fs.rm(dataDir, { recursive: true })
    }
  })
})
