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
 * transactions, and prepared statements are kept.
 */
export class ServiceSqliteDialect extends SqliteDialect {
  readonly #database: SqliteDatabase

  constructor(sqlite: BetterSqlite3.Database) {
    const database = keepStatements(sqlite)
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
 * A transaction that reads first and writes later fails at once when another process wrote in between, whatever
 * the busy timeout; one that begins with the lock waits for its turn.
 * Source: https://www.sqlite.org/isolation.html
 */
class WriteLockingDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

/** SQLite rolls back `create table` like anything else; Kysely's adapter denies it and migrates unprotected. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/**
 * Preparing costs more than running for the short statements of a request. A pragma is never kept: it may take
 * effect when it is prepared.
 */
function keepStatements(sqlite: BetterSqlite3.Database): SqliteDatabase {
  const kept = new Map<string, BetterSqlite3.Statement>()
  return {
    close: () => sqlite.close(),
    prepare(sql) {
      const known = kept.get(sql)
      if (known) return known
      const statement = sqlite.prepare(sql)
      if (/^\s*pragma/i.test(sql)) return statement
      const [oldest] = kept.keys()
      if (kept.size >= MAX_CACHED_STATEMENTS && oldest !== undefined) kept.delete(oldest)
      kept.set(sql, statement)
      return statement
    },
  }
}
