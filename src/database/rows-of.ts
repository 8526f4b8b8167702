import { sql, type RawBuilder } from 'kysely'
import { isPostgres } from './dialect.js'
import type { Database } from './open-database.js'

type ColumnType = 'integer' | 'text' | 'blob'

type Cell = number | string | Buffer | null

/**
 * Rows of values as a table expression for `from`, bound as few parameters whatever their number. Columns are named as in
 * `columns`, and `position` counts the rows from 0.
 *
 *     sql`select wanted.id from ${rowsOf(db, rows, { id: 'integer' })} as wanted`
 *
 * A select from it that is followed by `on conflict` needs a `where`, which tells SQLite that `on` begins no join.
 */
export function rowsOf<Columns extends Record<string, ColumnType>>(
  db: Database,
  rows: readonly Readonly<Record<keyof Columns, Cell>>[],
  columns: Columns,
): RawBuilder<unknown> {
  const names = Object.keys(columns)
  return isPostgres(db) ? fromArrays(names, columns, rows) : fromJson(names, columns, rows)
}

const POSTGRES_TYPES: Record<ColumnType, string> = {
  integer: 'bigint',
  text: 'text',
  blob: 'bytea',
}

function fromArrays(
  names: readonly string[],
  columns: Record<string, ColumnType>,
  rows: readonly Readonly<Record<string, Cell>>[],
): RawBuilder<unknown> {
  const arrays = names.map(
    (name) => sql`${rows.map((row) => row[name])}::${sql.raw(POSTGRES_TYPES[columns[name]!])}[]`,
  )
  const refs = sql.join(names.map((name) => sql.ref(name)))
  return sql`(
    select ${refs}, ordinal - 1 as position
    from unnest(${sql.join(arrays)}) with ordinality as unnested (${refs}, ordinal)
  )`
}

function fromJson(
  names: readonly string[],
  columns: Record<string, ColumnType>,
  rows: readonly Readonly<Record<string, Cell>>[],
): RawBuilder<unknown> {
  const json = JSON.stringify(rows.map((row) => names.map((name) => toJson(row[name]))))
  const cells = names.map((name, index) => {
    const cell = sql`value ->> ${sql.lit(index)}`
    return sql`${columns[name] === 'blob' ? sql`unhex(${cell})` : cell} as ${sql.ref(name)}`
  })
  return sql`(select ${sql.join(cells)}, key as position from json_each(${json}))`
}

function toJson(cell: Cell | undefined): unknown {
  return Buffer.isBuffer(cell) ? cell.toString('hex') : cell
}
