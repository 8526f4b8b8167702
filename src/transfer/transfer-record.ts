import { sql, type Transaction } from 'kysely'
import { OperatorError } from '../core/operator-error.js'
import type { Database } from '../database/open-database.js'
import {
  parseTransfer,
  TRANSFER,
  type TableProgress,
  type TransferState,
} from '../database/postgres/transfer-state.js'
import type { Tables } from '../database/schema.js'
import { transactDurably } from '../database/transact-durably.js'

const NOT_BEGUN: TableProgress = { rows: 0, after: null, isDone: false }

/** The entry of the target that says how far a transfer is. It changes only if no other process has changed it. */
export class TransferRecord {
  readonly #db: Database
  #state: TransferState
  #stored: Buffer

  /** @param stored - the entry as it is in the database */
  constructor(db: Database, stored: Buffer) {
    this.#db = db
    this.#state = parseTransfer(stored)
    this.#stored = stored
  }

  /** @throws OperatorError if another process has begun a transfer */
  static async begin(db: Database, source: string, now: number): Promise<TransferRecord> {
    const value = serialize({ source, startedAt: now, finishedAt: null, tables: {} })
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('service_metadata')
      .values({ name: TRANSFER, value })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows !== 1n) throw changedByOther()
    return new TransferRecord(db, value)
  }

  get state(): TransferState {
    return this.#state
  }

  progressOf(table: string): TableProgress {
    return this.#state.tables[table] ?? NOT_BEGUN
  }

  /**
   * Runs `work` and records how far it came in one transaction. It need not be on the disk when this resolves: what a crash
   * of the server takes is always both of them, from the end.
   */
  async advance(
    table: string,
    progress: TableProgress,
    work: (transaction: Transaction<Tables>) => Promise<void>,
  ): Promise<void> {
    const next = { ...this.#state, tables: { ...this.#state.tables, [table]: progress } }
    await this.#db.transaction().execute(async (transaction) => {
      await sql`set local synchronous_commit = off`.execute(transaction)
      await work(transaction)
      await this.#replace(transaction, next)
    })
    this.#keep(next)
  }

  /** Records that everything was moved and compared; all of it is on the disk when this resolves. */
  async finish(now: number): Promise<void> {
    const next = { ...this.#state, finishedAt: now }
    await transactDurably(this.#db, (transaction) => this.#replace(transaction, next))
    this.#keep(next)
  }

  /** Forgets a transfer that has moved nothing yet. */
  async withdraw(): Promise<void> {
    await this.#db
      .deleteFrom('service_metadata')
      .where('name', '=', TRANSFER)
      .where('value', '=', this.#stored)
      .execute()
  }

  async #replace(transaction: Transaction<Tables>, next: TransferState): Promise<void> {
    const { numUpdatedRows } = await transaction
      .updateTable('service_metadata')
      .set({ value: serialize(next) })
      .where('name', '=', TRANSFER)
      .where('value', '=', this.#stored)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows !== 1n) throw changedByOther()
  }

  #keep(state: TransferState): void {
    this.#state = state
    this.#stored = serialize(state)
  }
}

function serialize(state: TransferState): Buffer {
  return Buffer.from(JSON.stringify(state))
}

function changedByOther(): OperatorError {
  return new OperatorError(
    'Another process moves an installation into the same database. Wait until it has ended, then run this again.',
  )
}
