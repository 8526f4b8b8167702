import type BetterSqlite3 from 'better-sqlite3'
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  type SqliteDatabase,
} from 'kysely'

const MAX_CACHED_STATEMENTS = 200

/**
 * Kysely's SQLite dialect with three changes: transactions take the write lock when they begin, migrations run in
 * transactions, and prepared statements are cached.
 */
export class ServiceSqliteDialect extends SqliteDialect {
  readonly #database: SqliteDatabase

  constructor(sqlite: BetterSqlite3.Database) {
    const database = cacheStatements(sqlite)
    super({ database })
    this.#database = database
  }

  override createDriver(): Driver {
    return new WriteLockingDriver({ database: this.#database })
  }

  override createAdapter(): DialectAdapter {
    return new TransactionalDdlAdapter()
  }
}

/**
 * A transaction that reads first and writes later fails immediately, whatever the busy timeout, if another process wrote
 * in between; one that begins with the write lock waits for its turn.
 * Source: https://www.sqlite.org/isolation.html
 */
class WriteLockingDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

/** SQLite can roll back `create table`; Kysely's adapter says it cannot, and would migrate without a transaction. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/**
 * For short statements, preparing costs more than running. Pragmas are not cached: some take effect when they are
 * prepared.
 */
function cacheStatements(sqlite: BetterSqlite3.Database): SqliteDatabase {
  const cache = new Map<string, BetterSqlite3.Statement>()
  return {
    close: () => sqlite.close(),
    prepare(sql) {
      const cached = cache.get(sql)
      if (cached) return cached
      const statement = sqlite.prepare(sql)
      if (/^\s*pragma/i.test(sql)) return statement
      const [oldest] = cache.keys()
      if (cache.size >= MAX_CACHED_STATEMENTS && oldest !== undefined) cache.delete(oldest)
      cache.set(sql, statement)
      return statement
    },
  }
}
