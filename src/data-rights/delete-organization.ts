import { sql } from 'kysely'
import { deleteInBatches } from '../database/delete-in-batches.js'
import type { Database } from '../database/open-database.js'
import { transactDurably } from '../database/transact-durably.js'
import { ORGANIZATION_TABLES } from './organization-tables.js'

/** Their rows determine the owner of rows in other tables, so they are only deleted in the second pass. */
const OWNERS: ReadonlySet<string> = new Set(['service_calls', 'end_users', 'api_keys'])
/** Deleted last, in one transaction: other rows refer to these few rows. */
const LAST: ReadonlySet<string> = new Set(['memberships', 'event_scopes', 'organizations'])
/** A running server adds rows to these until the organisation is gone, so they are cleared in the same transaction. */
const COUNTED: ReadonlySet<string> = new Set([
  'quota_usage',
  'quota_reservations',
  'usage_hours',
  'usage_days',
])

/**
 * Deletes an organisation with all its rows. Its keys are revoked first. Rows are deleted in batches, so that a running
 * server stays responsive; a second pass deletes what calls in flight wrote meanwhile. After an interruption, run it
 * again.
 * @param db - opened by `openErasureConnection`
 * @returns the number of deleted rows by table
 */
export async function deleteOrganization(
  db: Database,
  organizationId: string,
  now: number,
): Promise<Record<string, number>> {
  await revokeKeys(db, organizationId, now)
  const deleted: Record<string, number> = {}
  const count = (table: string, rows: number) => (deleted[table] = (deleted[table] ?? 0) + rows)
  for (const pass of ['first', 'second']) {
    for (const { table, key, ownedBy } of ORGANIZATION_TABLES) {
      if (LAST.has(table) || (pass === 'first' && OWNERS.has(table))) continue
      count(table, await deleteInBatches(db, { table, key, where: ownedBy(organizationId) }))
    }
  }
  await transactDurably(db, async (transaction) => {
    for (const { table, ownedBy } of ORGANIZATION_TABLES) {
      if (!LAST.has(table) && !COUNTED.has(table)) continue
      const { numAffectedRows } = await sql`
        delete from ${sql.table(table)} where ${ownedBy(organizationId)}
      `.execute(transaction)
      count(table, Number(numAffectedRows ?? 0))
    }
  })
  return deleted
}

async function revokeKeys(db: Database, organizationId: string, now: number): Promise<void> {
  await transactDurably(db, (transaction) =>
    transaction
      .updateTable('api_keys')
      .set({ revoked_at: now })
      .where('organization_id', '=', organizationId)
      .where('revoked_at', 'is', null)
      .execute(),
  )
}
