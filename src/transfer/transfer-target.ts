import { setTimeout as delay } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import type { PostgresSettings } from '../config/postgres-settings.js'
import { OperatorError } from '../core/operator-error.js'
import { requireMigrated } from '../database/migrate-database.js'
import type { Database } from '../database/open-database.js'
import { ensureEventPartitions } from '../database/postgres/event-partitions.js'
import { describeServer } from '../database/postgres/explain-postgres-failure.js'
import { POSTGRES_MIGRATIONS } from '../database/postgres/migrations/postgres-migrations.js'
import { migratePostgres } from '../database/postgres/open-postgres.js'
import { listApplied } from '../database/postgres/schema-compatibility.js'
import { WatchedPool } from '../database/postgres/watched-pool.js'
import type { Tables } from '../database/schema.js'
import { MOVED_TABLES, OWN_METADATA } from './moved-tables.js'
import type { TableSummary } from './table-summary.js'
import type { Cell, SourceTable } from './transfer-source.js'

/** A connection that just ended is listed for a moment. */
const LISTED_FOR_MS = 3_000

interface TargetColumn {
  table: string
  name: string
  /** Such as `bigint`. */
  type: string
  is_identity: boolean
  /** Must be given when a row is inserted. */
  is_required: boolean
}

/** An empty or partly filled database on PostgreSQL. */
export class TransferTarget {
  readonly db: Database
  readonly #settings: PostgresSettings
  #columns: ReadonlyMap<string, readonly TargetColumn[]> = new Map()

  constructor(settings: PostgresSettings) {
    this.#settings = settings
    const pool = new WatchedPool({ url: settings.directUrl, poolSize: 1 })
    this.db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  }

  get description(): string {
    return describeServer({ url: this.#settings.directUrl })
  }

  /**
   * Creates the schema, and compares it with that of the source.
   * @throws MigrationError, StorageError; OperatorError if it differs
   */
  async prepare(tables: ReadonlyMap<string, SourceTable>): Promise<void> {
    if (this.#settings.migrations === 'never') {
      await requireMigrated(this.db as unknown as Kysely<never>, POSTGRES_MIGRATIONS)
    } else {
      await migratePostgres(this.#settings)
    }
    const unknown = (await listApplied(this.db)).filter(
      (name) => !Object.hasOwn(POSTGRES_MIGRATIONS, name),
    )
    if (unknown.length > 0) {
      throw new OperatorError(
        `A newer version of this program has created the schema of ${this.description} (${unknown.join(', ')}). Use that version.`,
      )
    }
    this.#columns = await this.#readColumns()
    for (const table of tables.values()) this.#compare(table)
  }

  /**
   * Refuses a database that another process of this program has open: a server, or a command.
   * @throws OperatorError
   */
  async refuseInUse(): Promise<void> {
    const until = performance.now() + LISTED_FOR_MS
    while (await this.#isInUse()) {
      if (performance.now() > until) {
        throw new OperatorError(
          `A server or a command is connected to ${this.description}. Stop all servers on it and try again. A pooler may hold a connection for some minutes longer.`,
        )
      }
      await delay(100)
    }
  }

  /** Tables that hold rows of an installation. */
  async listFilledTables(): Promise<string[]> {
    const filled: string[] = []
    for (const { table } of MOVED_TABLES) {
      const { rows } = await sql<{ isFilled: boolean }>`
        select exists (select 1 from ${sql.table(table)} ${withoutOwn(table)}) as "isFilled"
      `.execute(this.db)
      if (rows[0]?.isFilled) filled.push(table)
    }
    return filled
  }

  async insert(
    transaction: Transaction<Tables>,
    { name, columns }: SourceTable,
    rows: readonly Cell[][],
  ): Promise<void> {
    if (name === 'events') await storeKeys(transaction, columns, rows)
    const types = this.#typesOf(name)
    const arrays = columns.map((column, index) => {
      const type = types.get(column)!.type
      const cells = rows.map((row) => (type === 'boolean' ? toBoolean(row[index]!) : row[index]))
      return sql`${cells}::${sql.raw(type)}[]`
    })
    const names = sql.join(columns.map((column) => sql.ref(column)))
    await sql`
      insert into ${sql.table(name)} (${names}) select * from unnest(${sql.join(arrays)})
    `.execute(transaction)
  }

  /** Lets identities go on after the ids that were moved, and updates what the planner knows of the tables. */
  async complete(lastIdOf: (table: string) => number): Promise<void> {
    for (const { table } of MOVED_TABLES) {
      for (const { name } of [...this.#typesOf(table).values()].filter((of) => of.is_identity)) {
        await sql`
          select setval(pg_get_serial_sequence(${table}, ${name}), last) from (
            select greatest(max(${sql.ref(name)}), cast(${lastIdOf(table)} as bigint)) as last
            from ${sql.table(table)}
          ) as ids where last > 0
        `.execute(this.db)
      }
      await sql`analyze ${sql.table(table)}`.execute(this.db)
    }
  }

  async summarize({ name, columns, counters }: SourceTable): Promise<TableSummary> {
    const types = this.#typesOf(name)
    const cells = columns.map(
      (column) => sql`coalesce('=' || ${textOf(column, types.get(column)!.type)}, '~')`,
    )
    const sums = counters.map(
      (column) => sql`, cast(coalesce(sum(${sql.ref(column)}), 0) as text) as ${sql.ref(column)}`,
    )
    const summary = sql<{ rows: number; checksum: string } & Record<string, string>>`
      select count(*) as rows, cast(coalesce(sum(
        cast(cast('x' || left(encode(
          sha256(convert_to(concat_ws('|', ${sql.join(cells)}), 'UTF8')), 'hex'), 8) as bit(32)) as bigint)
      ), 0) as text) as checksum ${sql.join(sums, sql``)}
      from ${sql.table(name)} ${withoutOwn(name)}
    `
    const result = await this.db.transaction().execute(async (transaction) => {
      // It reads the whole table, which may take longer than the role is allowed for a query.
      await sql`set local statement_timeout = 0`.execute(transaction)
      return summary.execute(transaction)
    })
    const { rows, checksum, ...rest } = result.rows[0]!
    return { rows, checksum, sums: rest }
  }

  async close(): Promise<void> {
    await this.db.destroy()
  }

  async #isInUse(): Promise<boolean> {
    const { rows } = await sql<{ others: number }>`
      select count(*) as others from pg_stat_activity
      where datname = current_database() and application_name = 'profile-intelligence'
        and pid <> pg_backend_pid()
    `.execute(this.db)
    return rows[0]!.others > 0
  }

  async #readColumns(): Promise<ReadonlyMap<string, readonly TargetColumn[]>> {
    const { rows } = await sql<TargetColumn>`
      select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type,
        a.attidentity <> '' as is_identity,
        a.attnotnull and not a.atthasdef and a.attidentity = '' as is_required
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
    `.execute(this.db)
    const byTable = new Map<string, TargetColumn[]>()
    for (const row of rows) byTable.set(row.table, [...(byTable.get(row.table) ?? []), row])
    return byTable
  }

  #typesOf(table: string): ReadonlyMap<string, TargetColumn> {
    return new Map(this.#columns.get(table)?.map((column) => [column.name, column]))
  }

  #compare({ name, columns }: SourceTable): void {
    const target = this.#typesOf(name)
    const lacking = columns.filter((column) => !target.has(column))
    const unfilled = [...target.values()].filter(
      (column) => column.is_required && !columns.includes(column.name),
    )
    const differing = [...lacking, ...unfilled.map((column) => column.name)]
    if (differing.length === 0) return
    throw new OperatorError(
      `The table ${name} of ${this.description} has not the columns of the one in DATA_DIR (${differing.join(', ')}). Use the version that created both.`,
    )
  }
}

/** The months of the events, and their keys, which are a table of their own on PostgreSQL. */
async function storeKeys(
  transaction: Transaction<Tables>,
  columns: readonly string[],
  rows: readonly Cell[][],
): Promise<void> {
  const cellsOf = (name: string) => rows.map((row) => row[columns.indexOf(name)]!)
  await ensureEventPartitions(transaction, cellsOf('happened_at') as number[])
  await sql`
    insert into event_keys (scope_id, idempotency_key)
    select * from unnest(${cellsOf('scope_id')}::integer[], ${cellsOf('idempotency_key')}::bytea[])
  `.execute(transaction)
}

/** Entries of the database itself are none of an installation. */
function withoutOwn(table: string) {
  return table === 'service_metadata'
    ? sql`where name not in (${sql.join(OWN_METADATA.map((name) => sql.lit(name)))})`
    : sql``
}

function toBoolean(cell: Cell): boolean | null {
  return cell === null ? null : cell !== 0
}

/** As `hashRow` of the source writes a value. */
function textOf(column: string, type: string) {
  if (type === 'bytea') return sql`encode(${sql.ref(column)}, 'hex')`
  if (type === 'boolean') return sql`cast(cast(${sql.ref(column)} as integer) as text)`
  return sql`cast(${sql.ref(column)} as text)`
}
