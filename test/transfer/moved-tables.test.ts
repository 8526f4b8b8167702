import { sql } from 'kysely'
import { MOVED_TABLES, NOT_MOVED } from '../../src/transfer/moved-tables.js'
import { describeOnPostgres } from '../_database.js'
import { createInstallation, removeTemplates, type Installation } from './_installation.js'

let installation: Installation

afterAll(removeTemplates)

describeOnPostgres('the list of moved tables', () => {
  beforeEach(async () => {
    installation = await createInstallation({ eventCount: 100 })
  })
  afterEach(() => installation.remove())

  it('names each table of both databases, or says why it is not moved', async () => {
    const source = await installation.openSource()
    const target = await installation.openTarget()
    const ofSqlite = await sql<{ name: string }>`
      select name from sqlite_schema where type = 'table'
      and name not like 'kysely%' and name not like 'sqlite%'
    `.execute(source)
    const ofPostgres = await sql<{ name: string }>`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname not like 'kysely%'
    `.execute(target)
    await Promise.all([source.destroy(), target.destroy()])
    const existing = [...ofSqlite.rows, ...ofPostgres.rows].map(({ name }) => name)
    const listed = [...MOVED_TABLES.map(({ table }) => table), ...Object.keys(NOT_MOVED)]
    expect(listed.toSorted()).toEqual([...new Set(existing)].toSorted())
  })
})
