import type { Database } from '../database/open-database.js'

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

/** Records a change; call it in the transaction that makes the change. */
export async function recordAudit(db: Database, event: AuditEvent, act: Act): Promise<void> {
  await db
    .insertInto('audit_log')
    .values({
      at: act.now,
      actor: act.actor,
      action: event.action,
      organization_id: event.organizationId,
      subject: event.subject,
      details: JSON.stringify(event.details ?? {}),
    })
    .execute()
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
  return (await rows.execute()).map((row) => ({
    id: row.id,
    at: row.at,
    actor: row.actor,
    action: row.action as AuditAction,
    organizationId: row.organization_id,
    subject: row.subject,
    details: JSON.parse(row.details) as Record<string, unknown>,
  }))
}
