import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { ORGANIZATION_TABLES, UNOWNED_TABLES } from '../../src/data-rights/organization-tables.js'
import { openDatabase } from '../../src/database/open-database.js'

describe('ORGANIZATION_TABLES', () => {
  it('and UNOWNED_TABLES list every table of the schema', async () => {
    const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'tables-'))
    const db = await openDatabase(dataDir)
    try {
      const { rows } = await sql<{ name: string }>`
        select name from sqlite_schema where type = 'table'
        and name not like 'kysely%' and name not like 'sqlite%'
      `.execute(db)
      const known = [...ORGANIZATION_TABLES.map(({ table }) => table), ...UNOWNED_TABLES]
      expect(known.sort()).toEqual(rows.map(({ name }) => name).sort())
    } finally {
      await db.destroy()
      await fs.rm(dataDir, { recursive: true })
    }
  })
})
