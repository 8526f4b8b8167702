import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import type { Database } from '../../src/database/open-database.js'
import { rowsOf } from '../../src/database/rows-of.js'
import { dropTestDatabase, openTestDatabase } from '../_database.js'

let dataDir: string
let db: Database

beforeAll(async () => {
  dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'rows-of-'))
  db = await openTestDatabase(dataDir)
})

afterAll(async () => {
  await db.destroy()
  await dropTestDatabase(dataDir)
  await fs.rm(dataDir, { recursive: true })
})

const COLUMNS = { hash: 'hex', name: 'text', count: 'integer' } as const

async function select(rows: Parameters<typeof rowsOf>[1]) {
  const result = await sql`
    select hash, name, count, position from ${rowsOf(db, rows, COLUMNS)} as given order by position
  `.execute(db)
  return result.rows
}

describe('rowsOf', () => {
  it('gives back the values of every type, in order', async () => {
    const name = 'it’s "quoted", {and} \\ braced'
    const rows = [
      ['00ff27', name, 2 ** 52],
      [null, null, null],
      ['', '', -1],
    ]
    expect(await select(rows)).toEqual([
      { hash: Buffer.from([0, 255, 39]), name, count: 2 ** 52, position: 0 },
      { hash: null, name: null, count: null, position: 1 },
      { hash: Buffer.alloc(0), name: '', count: -1, position: 2 },
    ])
  })

  it.each([
    ['hex', ['0700ff', null]],
    ['text', ['[1]', '', null]],
    ['integer', [5, null]],
  ] as const)('gives back the values of a single column: %s', async (type, values) => {
    const rows = values.map((value) => [value])
    const result = await sql<{ value: unknown }>`
      select value, position from ${rowsOf(db, rows, { value: type })} as given order by position
    `.execute(db)
    const expected = values.map((value) =>
      type === 'hex' && value !== null ? Buffer.from(String(value), 'hex') : value,
    )
    expect(result.rows).toEqual(expected.map((value, position) => ({ value, position })))
  })

  it('is empty without rows', async () => {
    expect(await select([])).toEqual([])
  })

  it('takes more rows than a query may have parameters', async () => {
    const rows = Array.from({ length: 70_000 }, (_, count) => [null, 'many', count])
    const { rows: counted } = await sql`
      select count(*) as rows, sum(count) as sum from ${rowsOf(db, rows, COLUMNS)} as given
    `.execute(db)
    expect(counted).toEqual([{ rows: 70_000, sum: (70_000 * 69_999) / 2 }])
  })
})
