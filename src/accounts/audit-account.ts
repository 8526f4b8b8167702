import type { Database } from '../database/open-database.js'
import { recordAudit, type Act, type AuditAction } from '../organizations/audit-log.js'

/** Notes a change of an account in every organisation it is a member of. */
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
