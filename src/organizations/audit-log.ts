import type { Database } from '../database/open-database.js'
import { lockFor } from '../database/lock-for.js'
import { appendLink, findLastLink, type AuditDeps, type AuditRow } from './audit-chain.js'

export type AuditAction =
  | 'organization.created'
  | 'organization.deleted'
  | 'end_user.deleted'
  | 'organization.plan_changed'
  | 'key.created'
  | 'key.rotated'
  | 'key.grace_ended'
  | 'key.revoked'
  | 'member.invited'
  | 'member.invitation_withdrawn'
  | 'member.joined'
  | 'member.role_changed'
  | 'member.removed'
  | 'account.password_changed'
  | 'account.password_reset_issued'
  | 'account.signed_out_everywhere'
  | 'account.address_verified'
  | 'account.identity_connected'
  | 'account.identity_removed'
  | 'account.passkey_added'
  | 'account.passkey_removed'
  | 'learning.state_changed'
  | 'learning.control_share_changed'
  | 'learning.reset'
  | 'audit.chain_started'

/** Who makes a change, and when. */
export interface Act {
  /** `system`, `cli:<user>` or `portal:<account id>`. */
  actor: string
  /** Milliseconds since the epoch. */
  now: number
}

export interface AuditEvent {
  action: AuditAction
  organizationId: string
  /** Id of the changed object. */
  subject: string
  /** Never a secret. */
  details?: Record<string, unknown>
}

export interface AuditEntry extends AuditEvent {
  id: number
  at: number
  actor: string
  details: Record<string, unknown>
}

/** Records a change; call it in the transaction that makes the change, which `transactAudited` begins. */
export async function recordAudit(deps: AuditDeps, event: AuditEvent, act: Act): Promise<void> {
  if (!deps.db.isTransaction) {
    return deps.db
      .transaction()
      .execute((transaction) => recordAudit({ ...deps, db: transaction }, event, act))
  }
  await startAuditChain(deps, act.now)
  await insertEntry(deps, event, act)
}

/**
 * Chains the entries of versions that had no chain, once, and records that. Effective within the transaction `db`, or on
 * its own.
 */
export async function startAuditChain(deps: AuditDeps, now: number): Promise<void> {
  if (!deps.db.isTransaction) {
    return deps.db
      .transaction()
      .execute((transaction) => startAuditChain({ ...deps, db: transaction }, now))
  }
  // Two entries must not follow the same link.
  await lockFor(deps.db, 'audit')
  if (await findLastLink(deps.db)) return
  const isStarted = await deps.db
    .selectFrom('service_metadata')
    .select('name')
    .where('name', 'in', ['audit_head', 'audit_anchor'])
    .executeTakeFirst()
  if (isStarted) return
  const rows = await deps.db.selectFrom('audit_log').selectAll().orderBy('id').execute()
  for (const row of rows) await appendLink(deps, row)
  if (rows.length === 0) return
  const event = { action: 'audit.chain_started', organizationId: '', subject: '' } as const
  await insertEntry(deps, { ...event, details: { entries: rows.length } }, { actor: 'system', now })
}

async function insertEntry(deps: AuditDeps, event: AuditEvent, act: Act): Promise<void> {
  const row = await deps.db
    .insertInto('audit_log')
    .values({
      at: act.now,
      actor: act.actor,
      action: event.action,
      organization_id: event.organizationId,
      subject: event.subject,
      details: JSON.stringify(event.details ?? {}),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await appendLink(deps, row)
}

export interface AuditQuery {
  organizationId?: string | undefined
  /** Only entries about the object with this id. */
  subject?: string | undefined
  /** Only entries older than this one, for the next page. */
  beforeId?: number | undefined
  /** At most 1,000. */
  limit: number
}

/** Lists entries of the audit log, newest first. */
export async function listAudit(db: Database, query: AuditQuery): Promise<AuditEntry[]> {
  let rows = db
    .selectFrom('audit_log')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(Math.min(query.limit, 1_000))
  if (query.organizationId !== undefined) {
    rows = rows.where('organization_id', '=', query.organizationId)
  }
  if (query.subject !== undefined) rows = rows.where('subject', '=', query.subject)
  if (query.beforeId !== undefined) rows = rows.where('id', '<', query.beforeId)
  return (await rows.execute()).map(toAuditEntry)
}

export function toAuditEntry(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: row.at,
    actor: row.actor,
    action: row.action as AuditAction,
    organizationId: row.organization_id,
    subject: row.subject,
    details: JSON.parse(row.details) as Record<string, unknown>,
  }
}
