import { sql, type RawBuilder } from 'kysely'
import { isPostgres } from './dialect.js'
import type { Database } from './open-database.js'

/** `hex`: bytes that are given as hexadecimal digits. */
type ColumnType = 'integer' | 'text' | 'blob' | 'hex'

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
  hex: 'bytea',
}

function fromArrays(
  names: readonly string[],
  columns: Record<string, ColumnType>,
  rows: readonly Readonly<Record<string, Cell>>[],
): RawBuilder<unknown> {
  const arrays = names.map(
    (name) =>
      sql`${rows.map((row) => toArrayCell(row[name], columns[name]!))}::${sql.raw(POSTGRES_TYPES[columns[name]!])}[]`,
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
  const [only, ...others] = names
  // Cells of one column are in the list itself, which SQLite reads faster than lists in a list.
  const isFlat = only !== undefined && others.length === 0
  const json = JSON.stringify(
    isFlat
      ? rows.map((row) => toJsonCell(row[only]))
      : rows.map((row) => names.map((name) => toJsonCell(row[name]))),
  )
  const cells = names.map((name, index) => {
    const cell = isFlat ? sql`value` : sql`value ->> ${sql.lit(index)}`
    const type = columns[name]
    return sql`${type === 'blob' || type === 'hex' ? sql`unhex(${cell})` : cell} as ${sql.ref(name)}`
  })
  return sql`(select ${sql.join(cells)}, key as position from json_each(${json}))`
}

function toArrayCell(cell: Cell | undefined, type: ColumnType): Cell | undefined {
  return type === 'hex' && typeof cell === 'string' ? Buffer.from(cell, 'hex') : cell
}

function toJsonCell(cell: Cell | undefined): unknown {
  return Buffer.isBuffer(cell) ? cell.toString('hex') : cell
}
