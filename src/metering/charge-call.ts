import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../database/open-database.js'
import { withinPatience } from '../database/postgres/probe-server.js'
import { settleQuota, type Charge, type QuotaLease } from './quota.js'

/** Pauses between looks for a transaction whose commit was not answered, in milliseconds: a failover takes longer. */
const LOOKS_AFTER_MS = [0, 100, 400, 1_000, 2_000]

/**
 * Charges a call and runs `record`, both or neither. When the connection to PostgreSQL breaks while it commits, looks on another
 * one whether it did: the partner gets an answer if and only if it is charged, unless the database stays away.
 * @returns the calls charged in that month, this one included
 * @throws ServiceError `overloaded` if the lease has lapsed; StorageError
 */
export async function chargeCall(
  { db, clock }: { db: Database; clock: () => number },
  lease: QuotaLease,
  record: (transaction: Database) => Promise<void>,
): Promise<number> {
  let charge: Charge | undefined
  try {
    await db.transaction().execute(async (transaction) => {
      await record(transaction)
      charge = await settleQuota(transaction, lease, clock())
    })
  } catch (error) {
    if (!charge || !(await hasCommitted(db, lease, charge))) throw error
  }
  return charge!.used
}

/** Whether the charge is in the database; false if that cannot be found out in some seconds. */
async function hasCommitted(
  db: Database,
  lease: QuotaLease,
  { transaction }: Charge,
): Promise<boolean> {
  if (transaction === undefined) return false
  let status = 'unknown'
  const search = async () => {
    for (const pauseMs of LOOKS_AFTER_MS) {
      await delay(pauseMs)
      status = await look(db, lease, transaction).catch(() => 'unknown')
      if (status === 'committed' || status === 'aborted') return
    }
  }
  await withinPatience(search).catch(() => {})
  return status === 'committed'
}

/**
 * A standby that took over without the commit may have given its number to another transaction; there the lease is still open.
 * Source: https://www.postgresql.org/docs/15/functions-info.html, pg_xact_status
 */
async function look(db: Database, { id }: QuotaLease, transaction: string): Promise<string> {
  const { rows } = await sql<{ status: string | null; is_open: boolean }>`
    select pg_xact_status(cast(${transaction} as xid8)) as status,
      exists (select from quota_leases where id = ${id}) as is_open
  `.execute(db)
  const { status, is_open: isOpen } = rows[0]!
  if (status === 'committed' && isOpen) return 'aborted'
  return status ?? 'unknown'
}
