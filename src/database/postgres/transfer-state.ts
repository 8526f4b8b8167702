import { sql, type Kysely } from 'kysely'
import { OperatorError } from '../../core/operator-error.js'
import type { Tables } from '../schema.js'

/** Name of the `service_metadata` entry about the transfer of an installation into this database. */
export const TRANSFER = 'transfer'

/** A value of a key; bytes in hexadecimal. */
export type KeyCell = number | string | { hex: string }

/** How far a transfer from SQLite has come. */
export interface TransferState {
  /** SHA-256 of the content of the source, in hexadecimal. */
  source: string
  /** Milliseconds since the epoch. */
  startedAt: number
  /** Null until everything was moved and compared. */
  finishedAt: number | null
  tables: Record<string, TableProgress>
}

export interface TableProgress {
  rows: number
  /** Key of the last row that was moved; null before the first. */
  after: readonly KeyCell[] | null
  isDone: boolean
}

/** The database holds only a part of an installation; `message` says what to do. */
export class UnfinishedTransferError extends OperatorError {}

export const HOW_TO_END_TRANSFER =
  'Run `npm run admin -- migrate-to-postgres` again with the same DATA_DIR: it continues where it stopped. To give it up, create another database.'

/** The stored entry; undefined if nothing was ever transferred into this database. */
export async function findTransfer(db: Kysely<Tables>): Promise<Buffer | undefined> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('service_metadata') is not null as exists
  `.execute(db)
  if (!rows[0]?.exists) return undefined
  const row = await db
    .selectFrom('service_metadata')
    .select('value')
    .where('name', '=', TRANSFER)
    .executeTakeFirst()
  return row?.value
}

export function parseTransfer(value: Buffer): TransferState {
  return JSON.parse(value.toString()) as TransferState
}

/** Whether a transfer into this database has begun and not ended. */
export async function isTransferUnfinished(db: Kysely<Tables>): Promise<boolean> {
  const value = await findTransfer(db)
  return value !== undefined && parseTransfer(value).finishedAt === null
}

/** @throws UnfinishedTransferError */
export async function refuseUnfinishedTransfer(db: Kysely<Tables>): Promise<void> {
  if (!(await isTransferUnfinished(db))) return
  throw new UnfinishedTransferError(
    `The installation was not moved into this database completely. ${HOW_TO_END_TRANSFER}`,
  )
}
