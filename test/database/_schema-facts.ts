import BetterSqlite3 from 'better-sqlite3'
import { sql } from 'kysely'
import { databaseFile, type Database } from '../../src/database/open-database.js'

/** Tables of a schema, each column, key and index of them as one line, such as `accounts.email may be null`. */
export type SchemaFacts = ReadonlySet<string>

const isOurs = (table: string) => !/^(?:sqlite_|kysely_)/.test(table)

interface SqliteColumn {
  name: string
  notnull: number
  pk: number
}

/** What SQLite says about the tables of a data folder. */
export function readSqliteFacts(dataDir: string): SchemaFacts {
  const sqlite = new BetterSqlite3(databaseFile(dataDir))
  const list = <Row>(pragma: string) => sqlite.pragma(pragma) as Row[]
  const tables = sqlite
    .prepare(`select name from sqlite_master where type = 'table'`)
    .pluck()
    .all() as string[]
  const facts = tables.filter(isOurs).flatMap((table) => [
    ...list<SqliteColumn>(`table_info(${table})`).map(({ name, notnull, pk }) =>
      // An integer primary key is never null, whatever its declaration.
      describeColumn(table, name, notnull === 0 && pk === 0),
    ),
    describeKey(
      table,
      list<SqliteColumn>(`table_info(${table})`)
        .filter(({ pk }) => pk > 0)
        .toSorted((one, other) => one.pk - other.pk)
        .map(({ name }) => name),
    ),
    ...list<{ name: string; unique: number; origin: string }>(`index_list(${table})`)
      .filter(({ origin }) => origin !== 'pk')
      .map(({ name, unique }) =>
        describeIndex(table, {
          isUnique: unique === 1,
          columns: list<{ name: string }>(`index_info(${name})`).map((column) => column.name),
        }),
      ),
    ...describeReferences(table, list(`foreign_key_list(${table})`)),
  ])
  sqlite.close()
  return new Set(facts)
}

interface SqliteReference {
  id: number
  table: string
  from: string
  on_delete: string
}

function describeReferences(table: string, references: readonly SqliteReference[]): string[] {
  const ids = new Set(references.map(({ id }) => id))
  return [...ids].map((wanted) => {
    const columns = references.filter(({ id }) => id === wanted)
    return describeReference(table, {
      columns: columns.map(({ from }) => from),
      target: columns[0]!.table,
      cascades: columns[0]!.on_delete === 'CASCADE',
    })
  })
}

/** What PostgreSQL says about the tables of a database; partitions count as their table. */
export async function readPostgresFacts(db: Database): Promise<SchemaFacts> {
  const columns = await sql<{ table: string; name: string; is_nullable: boolean }>`
    select c.relname as table, a.attname as name, not a.attnotnull as is_nullable
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  `.execute(db)
  const indexes = await sql<{
    table: string
    is_primary: boolean
    is_unique: boolean
    columns: string[]
  }>`
    select c.relname as table, i.indisprimary as is_primary, i.indisunique as is_unique,
      array(
        select cast(a.attname as text) from unnest(i.indkey) with ordinality as k (attnum, position)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum order by k.position
      ) as columns
    from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = 'public'::regnamespace and not c.relispartition
  `.execute(db)
  const references = await sql<{
    table: string
    target: string
    cascades: boolean
    columns: string[]
  }>`
    select c.relname as table, t.relname as target, r.confdeltype = 'c' as cascades,
      array(
        select cast(a.attname as text) from unnest(r.conkey) with ordinality as k (attnum, position)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum order by k.position
      ) as columns
    from pg_constraint r join pg_class c on c.oid = r.conrelid join pg_class t on t.oid = r.confrelid
    where r.contype = 'f' and not c.relispartition
  `.execute(db)
  return new Set([
    ...columns.rows
      .filter(({ table }) => isOurs(table))
      .map(({ table, name, is_nullable }) => describeColumn(table, name, is_nullable)),
    ...indexes.rows
      .filter(({ table }) => isOurs(table))
      .map(({ table, columns: names, is_primary, is_unique }) =>
        is_primary
          ? describeKey(table, names)
          : describeIndex(table, { isUnique: is_unique, columns: names }),
      ),
    ...references.rows.map(({ table, ...reference }) => describeReference(table, reference)),
  ])
}

function describeColumn(table: string, name: string, isNullable: boolean): string {
  return `${table}.${name} ${isNullable ? 'may be null' : 'is never null'}`
}

function describeKey(table: string, columns: readonly string[]): string {
  return `${table} has the primary key (${columns.join(', ')})`
}

interface Index {
  isUnique: boolean
  columns: readonly string[]
}

function describeIndex(table: string, { isUnique, columns }: Index): string {
  return `${table} has ${isUnique ? 'a unique' : 'an'} index on (${columns.join(', ')})`
}

interface Reference {
  columns: readonly string[]
  target: string
  cascades: boolean
}

function describeReference(table: string, { columns, target, cascades }: Reference): string {
  const effect = cascades ? ', and goes with it' : ''
  return `${table} (${columns.join(', ')}) refers to ${target}${effect}`
}
