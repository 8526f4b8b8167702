import type { Database } from '../database/open-database.js'
import { recordAudit } from '../organizations/audit-log.js'
import { newId } from '../organizations/new-id.js'
import { transactAudited } from '../organizations/transact-audited.js'
import type { AccountDeps } from './account-deps.js'
import { findAccountBySignInName, insertAccount } from './account.js'
import { auditAccount } from './audit-account.js'
import { isOpenInvitation, redeemInvitation, type Invitation } from './invitation.js'
import { issueBrowserToken } from './known-browser.js'
import { describePasswordProblem, hashPassword } from './password.js'
import { startSession } from './session.js'
import { checkPassword, type SignIn, type SignedIn, type SignInOutcome } from './sign-in.js'
import { verifyAddress } from './verify-address.js'

/** The invitation has been used or withdrawn in the meantime. */
type Gone = { kind: 'gone' }

export type NewAccountOutcome =
  | ({ kind: 'accepted' } & SignedIn)
  /** `problem` says what is wrong with the new password. */
  | { kind: 'weak-password'; problem: string }
  /** An account already signs in with this name or address. */
  | { kind: 'name-taken' }
  | Gone

/** Accepts an invitation with a new account. Its name is a verified address if the invitation names that address. */
export async function acceptWithNewAccount(
  deps: AccountDeps,
  invitation: Invitation,
  { signInName, password, device, now }: Omit<SignIn, 'address' | 'browserToken'>,
): Promise<NewAccountOutcome> {
  const problem = describePasswordProblem(password, signInName)
  if (problem !== undefined) return { kind: 'weak-password', problem }
  const email = invitation.email === signInName ? signInName : null
  const account = {
    id: newId('acc'),
    signInName,
    email,
    passwordHash: await hashPassword(password),
  }
  const outcome = await acceptInvitation(deps, invitation, {
    accountId: account.id,
    device,
    now,
    beforeJoining: async (transaction) => {
      if (await findAccountBySignInName(transaction, signInName)) return 'name-taken'
      await insertAccount(transaction, account, now)
      return 'ready'
    },
  })
  if (outcome.kind !== 'accepted') return outcome
  return { ...outcome, browserToken: issueBrowserToken(deps.secret, account, now) }
}

export type ExistingAccountOutcome =
  | ({ kind: 'accepted' } & SignedIn)
  | Exclude<SignInOutcome, { kind: 'signed-in' }>
  /** The invitation names another address than that of the account. */
  | { kind: 'other-address' }
  | Gone

/**
 * Accepts an invitation with an existing account and its password. Whoever has both the link of an invitation that names
 * an address and the password of the account that signs in with it owns the address, so it counts as verified from now on.
 */
export async function acceptWithExistingAccount(
  deps: AccountDeps,
  invitation: Invitation,
  signIn: SignIn,
): Promise<ExistingAccountOutcome> {
  const checked = await checkPassword(deps, signIn)
  if (checked.kind !== 'right') return checked
  const { account } = checked
  const { email } = invitation
  if (email !== null && email !== (account.email ?? account.signInName)) {
    return { kind: 'other-address' }
  }
  const { device, now } = signIn
  const outcome = await acceptInvitation(deps, invitation, {
    accountId: account.id,
    device,
    now,
    beforeJoining: async (transaction) => {
      if (email === null || account.email !== null) return 'ready'
      if (!(await verifyAddress(transaction, { accountId: account.id, email }))) return 'name-taken'
      const change = { accountId: account.id, action: 'account.address_verified' } as const
      await auditAccount({ ...deps, db: transaction }, change, {
        actor: `portal:${account.id}`,
        now,
      })
      return 'ready'
    },
  })
  if (outcome.kind === 'name-taken') return { kind: 'other-address' }
  if (outcome.kind === 'gone') return outcome
  return { ...outcome, browserToken: issueBrowserToken(deps.secret, account, now) }
}

export interface Joining {
  accountId: string
  device: string
  now: number
  /** Prepares the account in the same transaction. With `name-taken` it has changed nothing, and the invitation stays open. */
  beforeJoining?: (transaction: Database) => Promise<'ready' | 'name-taken'>
}

export type JoinOutcome = { kind: 'accepted'; sessionToken: string } | { kind: 'name-taken' } | Gone

/** Redeems an invitation for an authenticated person, and signs them in. */
export async function acceptInvitation(
  deps: AccountDeps,
  invitation: Invitation,
  { accountId, device, now, beforeJoining }: Joining,
): Promise<JoinOutcome> {
  return transactAudited(deps.db, async (transaction) => {
    if (!(await isOpenInvitation(transaction, invitation.id))) return { kind: 'gone' }
    if ((await beforeJoining?.(transaction)) === 'name-taken') return { kind: 'name-taken' }
    await redeemInvitation(transaction, invitation.id)
    const { organizationId, role } = invitation
    const { numInsertedOrUpdatedRows: joined } = await transaction
      .insertInto('memberships')
      .values({ organization_id: organizationId, account_id: accountId, role, created_at: now })
      // Existing members keep the role that an owner gave them.
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    if (joined) {
      await recordAudit(
        { ...deps, db: transaction },
        { action: 'member.joined', organizationId, subject: accountId, details: { role } },
        { actor: `portal:${accountId}`, now },
      )
    }
    const within = { ...deps, db: transaction }
    const sessionToken = await startSession(within, { accountId, organizationId, device, now })
    return { kind: 'accepted', sessionToken }
  })
}
