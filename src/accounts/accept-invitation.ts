import type { Database } from '../database/open-database.js'
import { transactDurably } from '../database/transact-durably.js'
import { recordAudit } from '../organizations/audit-log.js'
import { newId } from '../organizations/new-id.js'
import { findAccountByEmail, insertAccount } from './account.js'
import { redeemInvitation, type AccessDeps, type Invitation } from './invitation.js'
import { describePasswordProblem, hashPassword } from './password.js'
import { signInByPassword, type SignIn, type SignInOutcome } from './sign-in.js'
import { startSession } from './session.js'

export type AcceptOutcome =
  /** `problem` says what is wrong with the new password. */
  | { kind: 'unfit-password'; problem: string }
  /** The address has an account already, and this is not its password. */
  | { kind: 'wrong-password' }
  | Extract<SignInOutcome, { kind: 'too-many' }>
  | JoinOutcome

export type JoinOutcome =
  | { kind: 'accepted'; sessionToken: string }
  /** The invitation was used or withdrawn in the meantime. */
  | { kind: 'gone' }

/** Accepts an invitation with a new account, or with that of the address by its password. */
export async function acceptByPassword(
  deps: AccessDeps,
  invitation: Invitation,
  signIn: SignIn,
): Promise<AcceptOutcome> {
  const { email, password, device, now } = signIn
  const known = await findAccountByEmail(deps.db, email)
  if (known) {
    const outcome = await signInByPassword(deps, signIn)
    if (outcome.kind === 'refused') return { kind: 'wrong-password' }
    if (outcome.kind === 'too-many') return outcome
    return acceptInvitation(deps, invitation, { accountId: known.id, device, now })
  }
  const problem = describePasswordProblem(password, email)
  if (problem !== undefined) return { kind: 'unfit-password', problem }
  const account = { id: newId('acc'), email, passwordHash: await hashPassword(password) }
  return acceptInvitation(deps, invitation, {
    accountId: account.id,
    device,
    now,
    prepare: (transaction) => insertAccount(transaction, account, now),
  })
}

export interface Joining {
  accountId: string
  device: string
  now: number
  /** Makes the account, where it is new, in the same transaction. */
  prepare?: (transaction: Database) => Promise<void>
}

/** Uses an invitation up for somebody who has proven who they are, and signs them in. */
export async function acceptInvitation(
  deps: AccessDeps,
  invitation: Invitation,
  { accountId, device, now, prepare }: Joining,
): Promise<JoinOutcome> {
  return transactDurably(deps.db, async (transaction) => {
    if (!(await redeemInvitation(transaction, invitation.id))) return { kind: 'gone' }
    await prepare?.(transaction)
    const { organizationId, role } = invitation
    const { numInsertedOrUpdatedRows: joined } = await transaction
      .insertInto('memberships')
      .values({ organization_id: organizationId, account_id: accountId, role, created_at: now })
      // Who is a member already keeps the role that owners gave.
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
