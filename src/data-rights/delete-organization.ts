import { sql } from 'kysely'
import { deleteInSlices } from '../database/erasing-database.js'
import type { Database } from '../database/open-database.js'
import { transactDurably } from '../database/transact-durably.js'
import { ORGANIZATION_TABLES } from './organization-tables.js'

/** Rows of these say whose the rows of other tables are, so that they go in the second round. */
const OWNERS: ReadonlySet<string> = new Set(['service_calls', 'end_users', 'api_keys'])
/** They go last and together, since they are what other rows refer to; and few they are. */
const LAST: ReadonlySet<string> = new Set(['memberships', 'event_scopes', 'organizations'])
/** A server counts in these until its organisation is gone, so that they have to be looked at together with it. */
const COUNTED: ReadonlySet<string> = new Set([
  'quota_usage',
  'quota_reservations',
  'usage_hours',
  'usage_days',
])

/**
 * Deletes an organisation with everything that belongs to it. Its keys end at once; then its rows go slice by slice, so
 * that a server that runs goes on; what calls that were running still wrote goes in a second round. Interrupted, it is
 * finished by another run.
 * @param db - opened by `openErasingDatabase`
 * @returns the number of rows by table
 */
export async function deleteOrganization(
  db: Database,
  organizationId: string,
  now: number,
): Promise<Record<string, number>> {
  await endKeys(db, organizationId, now)
  const deleted: Record<string, number> = {}
  const count = (table: string, rows: number) => (deleted[table] = (deleted[table] ?? 0) + rows)
  for (const round of ['first', 'second']) {
    for (const { table, key, of } of ORGANIZATION_TABLES) {
      if (LAST.has(table) || (round === 'first' && OWNERS.has(table))) continue
      count(table, await deleteInSlices(db, { table, key, where: of(organizationId) }))
    }
  }
  await transactDurably(db, async (transaction) => {
    for (const { table, of } of ORGANIZATION_TABLES) {
      if (!LAST.has(table) && !COUNTED.has(table)) continue
      const { numAffectedRows } = await sql`
        delete from ${sql.table(table)} where ${of(organizationId)}
      `.execute(transaction)
      count(table, Number(numAffectedRows ?? 0))
    }
  })
  return deleted
}

async function endKeys(db: Database, organizationId: string, now: number): Promise<void> {
  await transactDurably(db, (transaction) =>
    transaction
      .updateTable('api_keys')
      .set({ revoked_at: now })
      .where('organization_id', '=', organizationId)
      .where('revoked_at', 'is', null)
      .execute(),
  )
}
