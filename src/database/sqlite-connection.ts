import { setTimeout as delay } from 'node:timers/promises'
import type BetterSqlite3 from 'better-sqlite3'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { cacheStatements, type StatementCache } from './statement-cache.js'
import { StorageError, toStorageError } from './storage-failure.js'

/** Knows whether the database can be used, and learns from what fails. */
export interface StorageWatch {
  /** Whether others have waited for a lock in vain, so that waiting is pointless. */
  readonly isLocked: boolean
  /** @throws StorageError when the database must not even be read */
  assertUsable(): void
  /** @throws StorageError when the files of the open database are not those of its folder any more */
  assertInPlace(): void
  report(error: StorageError): void
}

/** The steps by which SQLite itself waits for a lock; the last one repeats. Source: sqliteDefaultBusyCallback */
const LOCK_WAIT_STEPS_MS = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100]
const MAX_LOCK_WAIT_MS = 5_000
/** The transaction reads an older state than it would write to, so it can only be repeated as a whole. */
const STALE_SNAPSHOT = 'SQLITE_BUSY_SNAPSHOT'

/**
 * Runs statements synchronously, which takes less time than a switch to another thread would. In the server it waits for
 * a lock of another process without blocking the event loop; elsewhere SQLite waits. Errors about storage become
 * StorageErrors.
 */
export class SqliteConnection implements DatabaseConnection {
  readonly #sqlite: BetterSqlite3.Database
  readonly #statements: StatementCache
  readonly #watch: StorageWatch | undefined

  constructor(sqlite: BetterSqlite3.Database, watch: StorageWatch | undefined) {
    this.#sqlite = sqlite
    this.#statements = cacheStatements(sqlite)
    this.#watch = watch
  }

  /** @throws StorageError; SqliteError, for example of a constraint */
  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      return Promise.resolve(this.#run<Row>(query))
    } catch (error) {
      return this.#retryWhileLocked<Row>(query, error)
    }
  }

  // eslint-disable-next-line require-yield
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Streaming would hold the only connection; select in pages instead.')
  }

  /**
   * Call it after a commit and before its success is reported.
   * @throws StorageError when what was committed is in a file without a name
   */
  assertStored(): void {
    this.#watch?.assertInPlace()
  }

  #run<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    this.#watch?.assertUsable()
    const statement = this.#statements.prepare(sql)
    const result: QueryResult<Row> = statement.reader
      ? { rows: statement.all(parameters) as Row[] }
      : write(statement, parameters)
    if (!statement.readonly && !this.#sqlite.inTransaction) this.assertStored()
    return result
  }

  async #retryWhileLocked<Row>(query: CompiledQuery, first: unknown): Promise<QueryResult<Row>> {
    const giveUpAt = performance.now() + MAX_LOCK_WAIT_MS
    let error = toStorageError(first)
    for (let attempt = 0; this.#isWorthWaiting(error) && performance.now() < giveUpAt; attempt++) {
      await delay(LOCK_WAIT_STEPS_MS[attempt] ?? LOCK_WAIT_STEPS_MS.at(-1))
      try {
        return this.#run<Row>(query)
      } catch (next) {
        error = toStorageError(next)
      }
    }
    if (error instanceof StorageError && error.cause !== undefined) this.#watch?.report(error)
    throw error
  }

  #isWorthWaiting(error: unknown): boolean {
    return (
      error instanceof StorageError &&
      error.failure === 'locked' &&
      error.reason !== STALE_SNAPSHOT &&
      this.#watch?.isLocked === false
    )
  }
}

function write(
  statement: BetterSqlite3.Statement,
  parameters: readonly unknown[],
): QueryResult<never> {
  const { changes, lastInsertRowid } = statement.run(parameters)
  return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] }
}
