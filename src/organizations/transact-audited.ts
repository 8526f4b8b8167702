import type { Transaction } from 'kysely'
import { lockFor } from '../database/lock-for.js'
import type { Database } from '../database/open-database.js'
import type { Tables } from '../database/schema.js'
import { transactDurably } from '../database/transact-durably.js'

/**
 * Runs a change that the audit log records, durably and one at a time, whichever replica makes it: `work` may look before it
 * changes anything. The chain of the log allows one transaction at a time anyway; to wait for its turn at the beginning
 * rules out deadlocks too.
 */
export async function transactAudited<T>(
  db: Database,
  work: (transaction: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return transactDurably(db, async (transaction) => {
    await lockFor(transaction, 'audit')
    return work(transaction)
  })
}
