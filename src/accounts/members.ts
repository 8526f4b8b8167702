import { AdminError } from '../core/admin-error.js'
import type { Database } from '../database/open-database.js'
import { recordAudit, type Act } from '../organizations/audit-log.js'
import { transactAudited } from '../organizations/transact-audited.js'
import type { AccountDeps } from './account-deps.js'
import type { Role } from './role.js'
import { endSessions } from './session.js'

export interface Membership {
  organizationId: string
  accountId: string
}

export interface MemberSummary {
  accountId: string
  signInName: string
  /** The verified address. */
  email: string | null
  role: Role
  joinedAt: number
  lastSignInAt: number | null
}

/** The members of an organisation, longest-standing first. */
export async function listMembers(db: Database, organizationId: string): Promise<MemberSummary[]> {
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.account_id')
    .select([
      'accounts.id',
      'accounts.sign_in_name',
      'accounts.email',
      'memberships.role',
      'memberships.created_at',
      'accounts.last_sign_in_at',
    ])
    .where('memberships.organization_id', '=', organizationId)
    .orderBy('memberships.created_at')
    .orderBy('accounts.id')
    .limit(1_000)
    .execute()
  return rows.map((row) => ({
    accountId: row.id,
    signInName: row.sign_in_name,
    email: row.email,
    role: row.role as Role,
    joinedAt: row.created_at,
    lastSignInAt: row.last_sign_in_at,
  }))
}

/**
 * Changes a member's role and signs them out of the organisation.
 * @throws AdminError `not_found`; `not_possible` for the last owner
 */
export async function changeRole(
  deps: AccountDeps,
  { role, ...membership }: Membership & { role: Role },
  act: Act,
): Promise<void> {
  await transactAudited(deps.db, async (transaction) => {
    const before = await requireRole(transaction, membership)
    if (before === role) return
    if (before === 'owner') await requireAnotherOwner(transaction, membership)
    await transaction
      .updateTable('memberships')
      .set({ role })
      .where('organization_id', '=', membership.organizationId)
      .where('account_id', '=', membership.accountId)
      .execute()
    await endSessions(transaction, membership)
    await recordAudit(
      { ...deps, db: transaction },
      {
        action: 'member.role_changed',
        organizationId: membership.organizationId,
        subject: membership.accountId,
        details: { from: before, to: role },
      },
      act,
    )
  })
}

/**
 * Removes a member from an organisation and signs them out of it. An account without any membership left is deleted
 * together with its e-mail address.
 * @throws AdminError `not_found`; `not_possible` for the last owner
 */
export async function removeMember(
  deps: AccountDeps,
  membership: Membership,
  act: Act,
): Promise<void> {
  const { organizationId, accountId } = membership
  await transactAudited(deps.db, async (transaction) => {
    if ((await requireRole(transaction, membership)) === 'owner') {
      await requireAnotherOwner(transaction, membership)
    }
    await transaction
      .deleteFrom('memberships')
      .where('organization_id', '=', organizationId)
      .where('account_id', '=', accountId)
      .execute()
    await transaction
      .deleteFrom('accounts')
      .where('id', '=', accountId)
      .where('id', 'not in', (select) => select.selectFrom('memberships').select('account_id'))
      .execute()
    await recordAudit(
      { ...deps, db: transaction },
      { action: 'member.removed', organizationId, subject: accountId },
      act,
    )
  })
}

async function requireRole(db: Database, { organizationId, accountId }: Membership): Promise<Role> {
  const row = await db
    .selectFrom('memberships')
    .select('role')
    .where('organization_id', '=', organizationId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (!row) throw new AdminError('not_found', 'There is no such member.')
  return row.role as Role
}

async function requireAnotherOwner(
  db: Database,
  { organizationId, accountId }: Membership,
): Promise<void> {
  const other = await db
    .selectFrom('memberships')
    .select('account_id')
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'owner')
    .where('account_id', '!=', accountId)
    .executeTakeFirst()
  if (other) return
  throw new AdminError(
    'not_possible',
    'An organisation needs an owner. Make somebody else an owner first.',
  )
}
