import { setTimeout as delay } from 'node:timers/promises'
import { lockFor } from '../database/lock-for.js'
import type { Database } from '../database/open-database.js'
import { hashErasure, writeEnd, type AuditDeps } from './audit-chain.js'

const BATCH_ROWS = 1_000

/**
 * Erases the entries of an organisation within the transaction `db`. Their links stay, with a proof that this service
 * erased the entries.
 * @returns the number of erased entries
 */
export async function eraseOrganizationEntries(
  { db, secret }: AuditDeps,
  organizationId: string,
): Promise<number> {
  // An entry that is added meanwhile would be deleted without the proof.
  await lockFor(db, 'audit')
  const links = await db
    .selectFrom('audit_chain')
    .innerJoin('audit_log', 'audit_log.id', 'audit_chain.id')
    .select(['audit_chain.id', 'audit_chain.hash'])
    .where('audit_log.organization_id', '=', organizationId)
    .execute()
  for (const link of links) {
    await db
      .updateTable('audit_chain')
      .set({ erasure: hashErasure(secret, link) })
      .where('id', '=', link.id)
      .execute()
  }
  await db.deleteFrom('audit_log').where('organization_id', '=', organizationId).execute()
  return links.length
}

/** Counts what `deleteOldEntries` would delete. */
export async function countOldEntries(db: Database, before: number): Promise<number> {
  const { entries } = await db
    .selectFrom('audit_log')
    .select((select) => select.fn.countAll<number>().as('entries'))
    .where('id', '<', await findOldestKept(db, before))
    .executeTakeFirstOrThrow()
  return entries
}

/**
 * Deletes the entries before the first one that is not older than `before`, with their links; the last link deleted
 * becomes the anchor of the chain. Pauses after each batch, so that requests get their turn.
 * @returns the number of deleted entries
 */
export async function deleteOldEntries(deps: AuditDeps, before: number): Promise<number> {
  const oldestKept = await findOldestKept(deps.db, before)
  let deleted = 0
  for (;;) {
    const startedAt = performance.now()
    const batch = await deps.db
      .transaction()
      .execute((transaction) => deleteBatch({ ...deps, db: transaction }, oldestKept))
    if (batch === undefined) return deleted
    deleted += batch
    await delay(performance.now() - startedAt)
  }
}

/** The first entry to keep: an entry that a wrong clock dated back does not take newer ones before it along. */
async function findOldestKept(db: Database, before: number): Promise<number> {
  const row = await db
    .selectFrom('audit_log')
    .select('id')
    .where('at', '>=', before)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? Number.MAX_SAFE_INTEGER
}

async function deleteBatch(deps: AuditDeps, oldestKept: number): Promise<number | undefined> {
  await lockFor(deps.db, 'audit')
  const links = await deps.db
    .selectFrom('audit_chain')
    .select(['id', 'hash'])
    .where('id', '<', oldestKept)
    .orderBy('id')
    .limit(BATCH_ROWS)
    .execute()
  const last = links.at(-1)
  if (!last) return undefined
  await writeEnd(deps, 'audit_anchor', last)
  await deps.db.deleteFrom('audit_chain').where('id', '<=', last.id).execute()
  const { numDeletedRows } = await deps.db
    .deleteFrom('audit_log')
    .where('id', '<=', last.id)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
