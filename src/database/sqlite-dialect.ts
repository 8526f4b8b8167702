import type BetterSqlite3 from 'better-sqlite3'
import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  type QueryCompiler,
} from 'kysely'
import { SqliteDriver } from './sqlite-driver.js'
import type { StorageWatch } from './sqlite-connection.js'

/**
 * SQLite for Kysely, as its own dialect with these changes: transactions take the write lock when they begin, migrations
 * run in transactions, prepared statements are cached, and nothing waits for a lock without end or on the event loop.
 */
export class ServiceSqliteDialect implements Dialect {
  readonly #sqlite: BetterSqlite3.Database
  readonly #watch: StorageWatch | undefined

  constructor(sqlite: BetterSqlite3.Database, watch?: StorageWatch) {
    this.#sqlite = sqlite
    this.#watch = watch
  }

  createDriver(): Driver {
    return new SqliteDriver(this.#sqlite, this.#watch)
  }

  createAdapter(): DialectAdapter {
    return new TransactionalDdlAdapter()
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler()
  }

  // Kysely's own type for a database of any schema.
  // eslint-disable-next-line typescript/no-explicit-any
  createIntrospector(db: Kysely<any>): DatabaseIntrospector {
    return new SqliteIntrospector(db)
  }
}

/** SQLite can roll back `create table`; Kysely's adapter says it cannot, and would migrate without a transaction. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}
