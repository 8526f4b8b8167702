import type { Database } from '../database/open-database.js'
import { recordAudit, type Act, type AuditAction } from '../organizations/audit-log.js'

/** Records a change to an account in the audit log of every organisation that it belongs to. */
export async function auditAccount(
  db: Database,
  { accountId, action }: { accountId: string; action: Extract<AuditAction, `account.${string}`> },
  act: Act,
): Promise<void> {
  const memberships = await db
    .selectFrom('memberships')
    .select('organization_id')
    .where('account_id', '=', accountId)
    .execute()
  for (const { organization_id: organizationId } of memberships) {
    await recordAudit(db, { action, organizationId, subject: accountId }, act)
  }
}
