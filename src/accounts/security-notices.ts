import { jsonField } from '../database/json-field.js'
import type { Database } from '../database/open-database.js'
import { toAuditEntry, type AuditEntry } from '../organizations/audit-log.js'
import type { Metrics } from '../telemetry/metrics.js'

const LIFETIME_MS = 30 * 24 * 60 * 60_000
const MAX_NOTICES = 20

export type NoticeKind = 'identity_connected' | 'passkey_added' | 'owner_added' | 'live_key_created'

const ACTIONS = [
  'account.identity_connected',
  'account.passkey_added',
  'member.joined',
  'member.role_changed',
  'key.created',
] as const

/**
 * Changes of the last 30 days that somebody who has broken in would make, newest first: a new identity, passkey, owner or
 * live key.
 */
export async function listNotices(
  db: Database,
  { organizationId, now }: { organizationId: string; now: number },
): Promise<AuditEntry[]> {
  const rows = await notices(db)
    .where('organization_id', '=', organizationId)
    .where('at', '>', now - LIFETIME_MS)
    .orderBy('id', 'desc')
    .limit(MAX_NOTICES)
    .execute()
  return rows.map(toAuditEntry)
}

/** Creates a sweep that counts the notices which the service or a command has caused since the last one. */
export async function createNoticeCounter(
  db: Database,
  metrics: Pick<Metrics, 'securityNotices'>,
): Promise<(db: Database) => Promise<void>> {
  const last = await db
    .selectFrom('audit_log')
    .select((select) => select.fn.max('id').as('id'))
    .executeTakeFirst()
  let counted = last?.id ?? 0
  return async (db) => {
    const rows = await notices(db).where('id', '>', counted).orderBy('id').limit(1_000).execute()
    for (const { id, action } of rows) {
      counted = id
      metrics.securityNotices.inc({ kind: kindOf(action) })
    }
  }
}

function kindOf(action: string): NoticeKind {
  if (action === 'account.identity_connected') return 'identity_connected'
  if (action === 'account.passkey_added') return 'passkey_added'
  return action === 'key.created' ? 'live_key_created' : 'owner_added'
}

function notices(db: Database) {
  const detail = (name: string) => jsonField(db, 'details', name)
  return db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', 'in', ACTIONS)
    .where((where) =>
      where.or([
        where('action', 'in', ['account.identity_connected', 'account.passkey_added']),
        where(detail('role'), '=', 'owner'),
        where(detail('to'), '=', 'owner'),
        where(detail('environment'), '=', 'live'),
      ]),
    )
}
