import { sql, type RawBuilder } from 'kysely'
import { isPostgres } from './dialect.js'
import type { Database } from './open-database.js'

/** `hex`: bytes that are given as hexadecimal digits. */
type ColumnType = 'integer' | 'text' | 'hex'

type Cell = number | string | null

/**
 * Rows of values as a table expression for `from`, bound as few parameters whatever their number. Columns are named as in
 * `columns`, and `position` counts the rows from 0.
 *
 *     sql`select wanted.id from ${rowsOf(db, ids.map((id) => [id]), { id: 'integer' })} as wanted`
 *
 * A select from it that is followed by `on conflict` needs a `where`, which tells SQLite that `on` begins no join.
 * @param rows - the values of each row in the order of `columns`: lists, since a batch has thousands
 */
export function rowsOf(
  db: Database,
  rows: readonly (readonly Cell[])[],
  columns: Readonly<Record<string, ColumnType>>,
): RawBuilder<unknown> {
  return isPostgres(db) ? fromArrays(rows, columns) : fromJson(rows, columns)
}

const POSTGRES_TYPES: Record<ColumnType, string> = {
  integer: 'bigint',
  text: 'text',
  hex: 'bytea',
}

function fromArrays(
  rows: readonly (readonly Cell[])[],
  columns: Readonly<Record<string, ColumnType>>,
): RawBuilder<unknown> {
  const arrays = Object.values(columns).map((type, index) => {
    const cells = rows.map((row) => row[index])
    const bound = type === 'hex' ? cells.map(toBytes) : cells
    return sql`${bound}::${sql.raw(POSTGRES_TYPES[type])}[]`
  })
  const refs = sql.join(Object.keys(columns).map((name) => sql.ref(name)))
  return sql`(
    select ${refs}, ordinal - 1 as position
    from unnest(${sql.join(arrays)}) with ordinality as unnested (${refs}, ordinal)
  )`
}

function toBytes(cell: Cell | undefined): Buffer | null {
  return typeof cell === 'string' ? Buffer.from(cell, 'hex') : null
}

function fromJson(
  rows: readonly (readonly Cell[])[],
  columns: Readonly<Record<string, ColumnType>>,
): RawBuilder<unknown> {
  const entries = Object.entries(columns)
  // The cells of a single column are in the list itself, which SQLite reads faster than lists in a list.
  const isFlat = entries.length === 1
  const json = JSON.stringify(isFlat ? rows.map(([cell]) => cell) : rows)
  const cells = entries.map(([name, type], index) => {
    const cell = isFlat ? sql`value` : sql`value ->> ${sql.lit(index)}`
    return sql`${type === 'hex' ? sql`unhex(${cell})` : cell} as ${sql.ref(name)}`
  })
  return sql`(select ${sql.join(cells)}, key as position from json_each(${json}))`
}
