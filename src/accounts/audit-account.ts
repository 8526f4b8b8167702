import { recordAudit, type Act, type AuditAction } from '../organizations/audit-log.js'
import type { AccountDeps } from './account-deps.js'

/** Records a change to an account in the audit log of every organisation that it belongs to. */
export async function auditAccount(
  deps: AccountDeps,
  { accountId, action }: { accountId: string; action: Extract<AuditAction, `account.${string}`> },
  act: Act,
): Promise<void> {
  const memberships = await deps.db
    .selectFrom('memberships')
    .select('organization_id')
    .where('account_id', '=', accountId)
    .execute()
  for (const { organization_id: organizationId } of memberships) {
    await recordAudit(deps, { action, organizationId, subject: accountId }, act)
  }
}
