import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { openDatabase, type Database } from '../../src/database/open-database.js'
import { prepareSql } from '../../src/database/prepare-query.js'
import { describeOnPostgres, dropTestDatabase, postgresOf } from '../_database.js'
import { openPoolerLike, type PoolerLike } from './_pooler-like.js'

const add = prepareSql(
  (_db, value: { left: number; right: number }) =>
    sql<{
      sum: number
    }>`select cast(${value.left} as integer) + cast(${value.right} as integer) as sum`,
)

describeOnPostgres('a prepared query', () => {
  let dataDir: string
  let pooler: PoolerLike | undefined
  let db: Database

  /** One connection, so that all queries meet on it. */
  async function open(isBehindPooler: boolean): Promise<void> {
    const postgres = (await postgresOf(dataDir))!
    const { url } = isBehindPooler ? (pooler = await openPoolerLike(postgres.url)) : postgres
    db = await openDatabase(dataDir, { postgres: { ...postgres, url, poolSize: 1 } })
  }

  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(os.tmpdir(), 'named-statements-'))
  })
  afterEach(async () => {
    await db.destroy()
    await pooler?.close()
    pooler = undefined
    await dropTestDatabase(dataDir)
    await rm(dataDir, { recursive: true })
  })

  const namedTexts = async () => {
    const { rows } = await sql<{ statement: string }>`
      select statement from pg_prepared_statements
    `.execute(db)
    return rows.map(({ statement }) => statement)
  }

  it('is prepared once a connection, and gives each answer for its own values', async () => {
    await open(false)
    for (const [left, right] of [
      [1, 2],
      [3, 4],
    ] as const) {
      expect((await add(db, { left, right })).rows).toEqual([{ sum: left + right }])
    }
    expect((await namedTexts()).filter((text) => text.includes('as sum'))).toHaveLength(1)
  })

  it('has no name behind a pooler, which may run the next query on another connection', async () => {
    await open(true)
    expect((await add(db, { left: 1, right: 2 })).rows).toEqual([{ sum: 3 }])
    expect(await namedTexts()).toEqual([])
  })
})
