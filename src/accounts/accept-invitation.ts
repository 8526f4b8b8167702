import type { Database } from '../database/open-database.js'
import { transactDurably } from '../database/transact-durably.js'
import { recordAudit } from '../organizations/audit-log.js'
import { newId } from '../organizations/new-id.js'
import type { AccountDeps } from './account-deps.js'
import { findAccountByEmail, insertAccount } from './account.js'
import { redeemInvitation, type Invitation } from './invitation.js'
import { describePasswordProblem, hashPassword } from './password.js'
import { startSession } from './session.js'
import { signInByPassword, type SignIn, type SignInOutcome } from './sign-in.js'

export type AcceptOutcome =
  /** `problem` says what is wrong with the new password. */
  | { kind: 'weak-password'; problem: string }
  /** The address already has an account, with another password. */
  | { kind: 'wrong-password' }
  | Extract<SignInOutcome, { kind: 'too-many-attempts' }>
  | JoinOutcome

export type JoinOutcome =
  | { kind: 'accepted'; sessionToken: string }
  /** The invitation has been used or withdrawn in the meantime. */
  | { kind: 'gone' }

/** Accepts an invitation with the account of the e-mail address and its password, or with a new account. */
export async function acceptByPassword(
  deps: AccountDeps,
  invitation: Invitation,
  signIn: SignIn,
): Promise<AcceptOutcome> {
  const { email, password, device, now } = signIn
  const known = await findAccountByEmail(deps.db, email)
  if (known) {
    const outcome = await signInByPassword(deps, signIn)
    if (outcome.kind === 'refused') return { kind: 'wrong-password' }
    if (outcome.kind === 'too-many-attempts') return outcome
    return acceptInvitation(deps, invitation, { accountId: known.id, device, now })
  }
  const problem = describePasswordProblem(password, email)
  if (problem !== undefined) return { kind: 'weak-password', problem }
  const account = { id: newId('acc'), email, passwordHash: await hashPassword(password) }
  return acceptInvitation(deps, invitation, {
    accountId: account.id,
    device,
    now,
    beforeJoining: (transaction) => insertAccount(transaction, account, now),
  })
}

export interface Joining {
  accountId: string
  device: string
  now: number
  /** Creates the account in the same transaction, if it is new. */
  beforeJoining?: (transaction: Database) => Promise<void>
}

/** Redeems an invitation for an authenticated person, and signs them in. */
export async function acceptInvitation(
  deps: AccountDeps,
  invitation: Invitation,
  { accountId, device, now, beforeJoining }: Joining,
): Promise<JoinOutcome> {
  return transactDurably(deps.db, async (transaction) => {
    if (!(await redeemInvitation(transaction, invitation.id))) return { kind: 'gone' }
    await beforeJoining?.(transaction)
    const { organizationId, role } = invitation
    const { numInsertedOrUpdatedRows: joined } = await transaction
      .insertInto('memberships')
      .values({ organization_id: organizationId, account_id: accountId, role, created_at: now })
      // Existing members keep the role that an owner gave them.
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    if (joined) {
      await recordAudit(
        transaction,
        { action: 'member.joined', organizationId, subject: accountId, details: { role } },
        { actor: `portal:${accountId}`, now },
      )
    }
    const within = { ...deps, db: transaction }
    const sessionToken = await startSession(within, { accountId, organizationId, device, now })
    return { kind: 'accepted', sessionToken }
  })
}
