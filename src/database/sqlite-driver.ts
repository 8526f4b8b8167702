import type BetterSqlite3 from 'better-sqlite3'
import { CompiledQuery, type Driver } from 'kysely'
import { ConnectionQueue } from './connection-queue.js'
import { SqliteConnection, type StorageWatch } from './sqlite-connection.js'

/** Longer than any statement may wait for a lock. */
const MAX_QUEUE_MS = 30_000

/** The one connection of this process, which its callers take in turns. */
export class SqliteDriver implements Driver {
  readonly #sqlite: BetterSqlite3.Database
  readonly #connection: SqliteConnection
  readonly #queue = new ConnectionQueue(MAX_QUEUE_MS)

  constructor(sqlite: BetterSqlite3.Database, watch: StorageWatch | undefined) {
    this.#sqlite = sqlite
    this.#connection = new SqliteConnection(sqlite, watch)
  }

  init(): Promise<void> {
    return Promise.resolve()
  }

  async acquireConnection(): Promise<SqliteConnection> {
    await this.#queue.acquire()
    return this.#connection
  }

  /**
   * A transaction that reads first and writes later fails immediately, whatever the busy timeout, if another process
   * wrote in between; one that begins with the write lock waits for its turn.
   * Source: https://www.sqlite.org/isolation.html
   */
  async beginTransaction(connection: SqliteConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
    connection.assertStored()
  }

  rollbackTransaction(): Promise<void> {
    // After some errors, such as a full disk, SQLite has rolled back by itself, and another rollback would fail.
    if (this.#sqlite.inTransaction) this.#sqlite.exec('rollback')
    return Promise.resolve()
  }

  releaseConnection(): Promise<void> {
    this.#queue.release()
    return Promise.resolve()
  }

  destroy(): Promise<void> {
    this.#sqlite.close()
    return Promise.resolve()
  }
}
