import { sql } from 'kysely'
import { deleteInBatches } from '../database/delete-in-batches.js'
import type { Database } from '../database/open-database.js'
import { transactDurably } from '../database/transact-durably.js'
import type { AuditDeps } from '../organizations/audit-chain.js'
import { recordAudit, type Act } from '../organizations/audit-log.js'
import { eraseOrganizationEntries } from '../organizations/erase-audit-entries.js'
import { ORGANIZATION_TABLES } from './organization-tables.js'

/** Their rows determine the owner of rows in other tables, so they are only deleted in the second pass. */
const OWNERS: ReadonlySet<string> = new Set(['service_calls', 'end_users', 'api_keys'])
/** Deleted last, in one transaction: other rows refer to these few rows. */
const LAST: ReadonlySet<string> = new Set(['memberships', 'event_scopes', 'organizations'])
/** Erased in that transaction too, so that its chain stays whole. */
const AUDIT = 'audit_log'
/** A running server adds rows to these until the organisation is gone, so they are cleared in the same transaction. */
const COUNTED: ReadonlySet<string> = new Set([
  'quota_usage',
  'quota_leases',
  'usage_hours',
  'usage_days',
])

/**
 * Deletes an organisation with all its rows. Its keys are revoked first. Rows are deleted in batches, so that a running
 * server stays responsive; a second pass deletes what calls in flight wrote meanwhile. After an interruption, run it
 * again.
 * @param db - opened by `openErasureConnection`
 * @returns the number of deleted rows
 */
export async function deleteOrganization(
  { db, secret }: AuditDeps,
  organizationId: string,
  act: Act,
): Promise<number> {
  await revokeKeys(db, organizationId, act.now)
  let deleted = 0
  for (const pass of ['first', 'second']) {
    for (const { table, key, ownedBy } of ORGANIZATION_TABLES) {
      if (table === AUDIT || LAST.has(table) || (pass === 'first' && OWNERS.has(table))) continue
      deleted += await deleteInBatches(db, { table, key, where: ownedBy(organizationId) })
    }
  }
  await transactDurably(db, async (transaction) => {
    for (const { table, ownedBy } of ORGANIZATION_TABLES) {
      if (!LAST.has(table) && !COUNTED.has(table)) continue
      const { numAffectedRows } = await sql`
        delete from ${sql.table(table)} where ${ownedBy(organizationId)}
      `.execute(transaction)
      deleted += Number(numAffectedRows ?? 0)
    }
    const within = { db: transaction, secret }
    deleted += await eraseOrganizationEntries(within, organizationId)
    // This entry, which names only a random id, is all that stays.
    const event = { action: 'organization.deleted' as const, details: { rows: deleted } }
    await recordAudit(within, { ...event, organizationId, subject: organizationId }, act)
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
