import type { StorageState } from '../core/storage-state.js'
import { DatabaseFiles } from './database-files.js'
import { databaseFile, type Database } from './open-database.js'
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
/** Large enough to need new room on a full disk, where a small write may still fit into the log's last pages. */
const PROBE_BYTES = 64 * 1024
const PROBE_NAME = 'storage_probe'

/**
 * Knows whether the server's database can be used. It looks twice a second whether the files are still in place; while
 * accesses fail it tries a write as often, and so notices that the cause is gone.
 */
export class StorageMonitor implements StorageWatch {
  readonly #listener: StorageListener
  #status: StorageStatus = { state: 'ok' }
  #files: DatabaseFiles | undefined
  #isProbing = false

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
    // While the disk is full, a lock that is waited for in vain says nothing new.
    const isWorse = failure === 'damaged' || (failure === 'missing' && state !== 'damaged')
    if (state === 'ok' || isWorse) this.#change({ state: failure, code: reason })
  }

  #check(db: Database): void {
    const { state } = this.#status
    // Damage stays until the operator has looked at it.
    if (state === 'damaged') return
    const areInPlace = this.#files?.areInPlace() ?? true
    if (areInPlace && state === 'missing') this.#change({ state: 'ok' })
    else if (areInPlace && state !== 'ok') void this.#probe(db)
    else if (!areInPlace && state !== 'missing') this.report(new StorageError('missing'))
  }

  async #probe(db: Database): Promise<void> {
    if (this.#isProbing) return
    this.#isProbing = true
    try {
      await writeProbe(db)
      this.#change({ state: 'ok' })
    } catch {
      // The driver has reported it.
    } finally {
      this.#isProbing = false
    }
  }

  #change(status: StorageStatus): void {
    if (status.state === this.#status.state) return
    this.#status = status
    this.#listener.onChange(status)
  }
}

/** Writes and deletes what needs new room on a full disk. */
async function writeProbe(db: Database): Promise<void> {
  const value = Buffer.alloc(PROBE_BYTES)
  await db
    .insertInto('service_metadata')
    .values({ name: PROBE_NAME, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
  await db.deleteFrom('service_metadata').where('name', '=', PROBE_NAME).execute()
}
