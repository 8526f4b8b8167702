import { randomBytes } from 'node:crypto'
import type { StorageState } from '../core/storage-state.js'
import { DatabaseFiles } from './database-files.js'
import { isPostgres } from './dialect.js'
import { databaseFile, type Database } from './open-database.js'
import { probeServer, withinPatience } from './postgres/probe-server.js'
import type { Pool } from './postgres/watched-pool.js'
import type { StorageWatch } from './sqlite-connection.js'
import { StorageError } from './storage-failure.js'

export interface StorageStatus {
  state: StorageState
  /** Code of SQLite for a failure, such as `SQLITE_FULL`. */
  code?: string
}

export interface StorageListener {
  /** Called once for each change of the state. */
  onChange(status: StorageStatus): void
  /** Called for each failed access. */
  onError(code: string): void
}

const CHECK_INTERVAL_MS = 500
/** Queries that wait this long for a connection keep new calls out. A query waits for five seconds at most. */
const MAX_WAIT_MS = 1_000
const CHECKS_PER_SERVER_PROBE = 4
/** Large enough to need new room on a full disk, where a small write may still fit into the log's last pages. */
const PROBE_BYTES = 64 * 1024
const PROBE_NAME = 'storage_probe'

/**
 * Knows whether the server's database can be used. It looks twice a second whether the files of SQLite are still in place,
 * and every two seconds whether PostgreSQL answers; while accesses fail it tries a write twice a second, and so notices that
 * the cause is gone.
 */
export class StorageMonitor implements StorageWatch {
  readonly #listener: StorageListener
  #status: StorageStatus = { state: 'ok' }
  #files: DatabaseFiles | undefined
  #pool: Pick<Pool, 'longestWaitMs'> | undefined
  #isProbing = false
  #checks = 0

  constructor(listener: StorageListener) {
    this.#listener = listener
  }

  get status(): StorageStatus {
    return this.#status
  }

  get isLocked(): boolean {
    return this.#status.state === 'locked'
  }

  /**
   * @param dataDir - folder of the files of SQLite; undefined for PostgreSQL
   * @returns a function that stops the checks
   */
  start(db: Database, dataDir: string | undefined): () => void {
    this.#files = dataDir === undefined ? undefined : new DatabaseFiles(databaseFile(dataDir))
    const timer = setInterval(() => this.#check(db), CHECK_INTERVAL_MS)
    timer.unref()
    return () => clearInterval(timer)
  }

  /** @param pool - connections to PostgreSQL */
  watchPool(pool: Pick<Pool, 'longestWaitMs'>): void {
    this.#pool = pool
  }

  /**
   * Called before a call is begun, which would wait behind others for a connection.
   * @throws StorageError `overloaded`
   */
  assertHasRoom(): void {
    const isBusy = this.#pool && this.#pool.longestWaitMs >= MAX_WAIT_MS
    if (isBusy && this.#status.state === 'ok') {
      throw new StorageError('locked', { code: 'overloaded' })
    }
  }

  assertUsable(): void {
    const { state } = this.#status
    if (state === 'missing' || state === 'damaged') throw new StorageError(state)
  }

  assertInPlace(): void {
    if (!this.#files || this.#files.areInPlace()) return
    const error = new StorageError('missing')
    this.report(error)
    throw error
  }

  report({ failure, reason }: Pick<StorageError, 'failure' | 'reason'>): void {
    this.#listener.onError(reason)
    const { state } = this.#status
    // On a server, one transaction has lost against another, or all connections of this process are in use.
    if (failure === 'locked' && !this.#files) return
    // While the disk is full, a lock that is waited for in vain says nothing new.
    const isWorse = failure === 'damaged' || (failure === 'missing' && state !== 'damaged')
    if (state === 'ok' || isWorse) this.#change({ state: failure, code: reason })
  }

  #check(db: Database): void {
    const { state } = this.#status
    // Damage stays until the operator has looked at it.
    if (state === 'damaged') return
    if (!this.#files) return this.#checkServer(db)
    const areInPlace = this.#files.areInPlace()
    if (areInPlace && state === 'missing') this.#change({ state: 'ok' })
    else if (areInPlace && state !== 'ok') void this.#probe(db)
    else if (!areInPlace && state !== 'missing') this.report(new StorageError('missing'))
  }

  #checkServer(db: Database): void {
    this.#checks += 1
    if (this.#status.state !== 'ok') void this.#probe(db)
    else if (this.#checks % CHECKS_PER_SERVER_PROBE === 0) void this.#probe(db, probeServer)
  }

  async #probe(db: Database, look: (db: Database) => Promise<void> = writeProbe): Promise<void> {
    if (this.#isProbing) return
    this.#isProbing = true
    try {
      await look(db)
      this.#change({ state: 'ok' })
    } catch (error) {
      if (error instanceof StorageError) this.#learn(error)
    } finally {
      this.#isProbing = false
    }
  }

  /** What a look at a server says is newer than what failed before; the driver has reported what it has thrown. */
  #learn(error: StorageError): void {
    if (error.cause === undefined) this.report(error)
    const { failure, reason } = error
    const isNews = !this.#files && failure !== 'locked' && this.#status.state !== 'ok'
    if (isNews) this.#change({ state: failure, code: reason })
  }

  #change(status: StorageStatus): void {
    if (status.state === this.#status.state) return
    this.#status = status
    this.#listener.onChange(status)
  }
}

/** Writes and deletes what needs new room on a full disk. */
async function writeProbe(db: Database): Promise<void> {
  // PostgreSQL would compress zeros.
  const value = randomBytes(PROBE_BYTES)
  const write = async () => {
    await db
      .insertInto('service_metadata')
      .values({ name: PROBE_NAME, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute()
    await db.deleteFrom('service_metadata').where('name', '=', PROBE_NAME).execute()
  }
  await (isPostgres(db) ? withinPatience(write) : write())
}
