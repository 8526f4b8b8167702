import { hash } from 'node:crypto'
import BetterSqlite3 from 'better-sqlite3'
import { Kysely } from 'kysely'
import { OperatorError } from '../core/operator-error.js'
import { errorCode } from '../core/error-code.js'
import { ALL_MIGRATIONS } from '../database/migrations/all-migrations.js'
import { databaseFile, type Database } from '../database/open-database.js'
import type { Tables } from '../database/schema.js'
import { ServiceSqliteDialect } from '../database/sqlite-dialect.js'
import { MOVED_TABLES, OWN_METADATA } from './moved-tables.js'
import type { TableSummary } from './table-summary.js'

/** Bounds of a page, which is held in memory and moved in one transaction. */
const PAGE_ROWS = 2_000
const PAGE_BYTES = 4 * 1024 * 1024
const NUMBER_BYTES = 8

export type Cell = number | string | Buffer | null

export interface SourceTable {
  name: string
  /** Names in the order of the table. */
  columns: readonly string[]
  /** Columns of the primary key, in its order. */
  key: readonly string[]
  /** Columns whose sums are compared. */
  counters: readonly string[]
}

interface SqliteColumn {
  name: string
  type: string
  notnull: number
  pk: number
}

/** The database of a data folder, in which nobody can change anything until it is closed. Nothing in it is changed. */
export class TransferSource {
  /** For queries of other folders. */
  readonly db: Database
  readonly tables: ReadonlyMap<string, SourceTable>
  readonly #sqlite: BetterSqlite3.Database

  /** @throws OperatorError if it has another schema than this version's */
  constructor(dataDir: string) {
    this.#sqlite = openLocked(databaseFile(dataDir))
    try {
      refuseOtherSchema(this.#sqlite)
      this.#sqlite.function('row_hash', { deterministic: true, varargs: true }, hashRow)
      this.tables = new Map(
        MOVED_TABLES.map(({ table, hasCounts = false }) => [
          table,
          this.#describe(table, hasCounts),
        ]),
      )
      const reader = new BetterSqlite3(databaseFile(dataDir), { fileMustExist: true })
      reader.pragma('query_only = on')
      this.db = new Kysely<Tables>({ dialect: new ServiceSqliteDialect(reader) })
    } catch (error) {
      this.#sqlite.close()
      throw error
    }
  }

  /**
   * The rows that follow a key, in the order of the key: at most 2,000, and no more after 4 MiB.
   * @param after - null before the first row
   */
  readPage({ name, columns, key }: SourceTable, after: readonly Cell[] | null): Cell[][] {
    const from = after ? `where (${list(key)}) > (${key.map(() => '?').join(', ')})` : ''
    const select = this.#sqlite
      .prepare<Cell[], Cell[]>(
        `select ${list(columns)} from ${quote(name)} ${from} order by ${list(key)} limit ${PAGE_ROWS}`,
      )
      .raw()
    const page: Cell[][] = []
    let bytes = 0
    for (const row of select.iterate(...(after ?? []))) {
      page.push(row)
      bytes += row.reduce<number>((sum, cell) => sum + sizeOf(cell), 0)
      if (bytes >= PAGE_BYTES) break
    }
    return page
  }

  summarize({ name, columns, counters }: SourceTable): TableSummary {
    const sums = counters.map((column) => `, cast(coalesce(sum(${quote(column)}), 0) as text)`)
    const row = this.#sqlite
      .prepare<[], [number, string, ...string[]]>(
        `select count(*), cast(coalesce(sum(row_hash(${list(columns)})), 0) as text) ${sums.join('')}
        from ${quote(name)} ${name === 'service_metadata' ? WITHOUT_OWN : ''}`,
      )
      .raw()
      .get()!
    const [rows, checksum, ...values] = row
    return {
      rows,
      checksum,
      sums: Object.fromEntries(counters.map((column, index) => [column, values[index]!])),
    }
  }

  /** The next id of a table may be higher than its last: ids of deleted entries of the audit log are not given again. */
  lastIdOf(table: string): number {
    const select = this.#sqlite.prepare<[string], number>(
      'select seq from sqlite_sequence where name = ?',
    )
    return select.pluck().get(table) ?? 0
  }

  async close(): Promise<void> {
    await this.db.destroy()
    this.#sqlite.close()
  }

  #describe(name: string, hasCounts: boolean): SourceTable {
    const columns = this.#sqlite.pragma(`table_info(${quote(name)})`) as SqliteColumn[]
    const key = columns.filter(({ pk }) => pk > 0).toSorted((one, other) => one.pk - other.pk)
    if (key.length === 0) throw new Error(`The table ${name} is not there or has no key.`)
    const isCounter = ({ pk, notnull, type }: SqliteColumn) =>
      pk === 0 && notnull === 1 && type.toLowerCase() === 'integer'
    return {
      name,
      columns: columns.map((column) => column.name),
      key: key.map((column) => column.name),
      counters: hasCounts ? columns.filter(isCounter).map((column) => column.name) : [],
    }
  }
}

const WITHOUT_OWN = `where name not in (${OWN_METADATA.map((name) => `'${name}'`).join(', ')})`

/**
 * Takes the write lock, so that no command changes the database meanwhile, and then forbids this connection to write.
 * @throws OperatorError if somebody else has the lock
 */
function openLocked(file: string): BetterSqlite3.Database {
  const sqlite = new BetterSqlite3(file, { fileMustExist: true })
  try {
    sqlite.exec('begin immediate')
    sqlite.pragma('query_only = on')
    return sqlite
  } catch (error) {
    sqlite.close()
    if (!errorCode(error)?.startsWith('SQLITE_BUSY')) throw error
    throw new OperatorError(`Another command is writing to ${file}. Try again when it has ended.`, {
      cause: error,
    })
  }
}

function refuseOtherSchema(sqlite: BetterSqlite3.Database): void {
  const applied = sqlite.prepare('select name from kysely_migration').pluck().all() as string[]
  const unknown = applied.filter((name) => !Object.hasOwn(ALL_MIGRATIONS, name))
  if (unknown.length > 0) {
    throw new OperatorError(
      `A newer version of this program has written the database in DATA_DIR (${unknown.join(', ')}). Move it with that version.`,
    )
  }
  const pending = Object.keys(ALL_MIGRATIONS).filter((name) => !applied.includes(name))
  if (pending.length === 0) return
  throw new OperatorError(
    `The database in DATA_DIR is of an older version (missing: ${pending.join(', ')}). Make a backup, start this version once without DATABASE_URL, stop it, and run this again.`,
  )
}

/** The first 32 bits of the SHA-256 of a row, as PostgreSQL computes it in `TransferTarget`. A `number` would be a real. */
function hashRow(...cells: unknown[]): bigint {
  const text = (cells as Cell[]).map((cell) => (cell === null ? '~' : `=${textOf(cell)}`)).join('|')
  return BigInt(`0x${hash('sha256', text, 'hex').slice(0, 8)}`)
}

function textOf(cell: number | string | Buffer): string {
  return Buffer.isBuffer(cell) ? cell.toString('hex') : String(cell)
}

function sizeOf(cell: Cell): number {
  return cell === null || typeof cell === 'number' ? NUMBER_BYTES : cell.length
}

function list(names: readonly string[]): string {
  return names.map(quote).join(', ')
}

function quote(name: string): string {
  return `"${name}"`
}
