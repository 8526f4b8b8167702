import { AdminError } from '../core/admin-error.js'
import type { Database } from '../database/open-database.js'
import type { Act } from '../organizations/audit-log.js'
import { transactAudited } from '../organizations/transact-audited.js'
import type { AccountDeps } from './account-deps.js'
import { setPasswordHash } from './account.js'
import { removeIdentities } from './account-identity.js'
import { auditAccount } from './audit-account.js'
import { issueBrowserToken } from './known-browser.js'
import { describePasswordProblem, hashPassword, verifyPassword } from './password.js'
import { endSessions, startSession, type Session } from './session.js'
import { countAttempt, clearAttempts } from './sign-in-attempts.js'
import type { SignedIn } from './sign-in.js'

export interface PasswordChange {
  session: Session
  current: string
  password: string
  /** IP address of the client. */
  address: string
  device: string
}

export type PasswordChangeOutcome =
  | ({ kind: 'changed' } & SignedIn)
  | { kind: 'wrong-password' }
  | { kind: 'weak-password'; problem: string }
  | { kind: 'too-many-attempts'; waitMs: number }

/** Changes the password of the signed-in account. Ends all its sessions and starts a new one for this browser. */
export async function changePassword(
  deps: AccountDeps,
  { session, current, password, address, device }: PasswordChange,
  act: Act,
): Promise<PasswordChangeOutcome> {
  const { accountId, organizationId, signInName, tokenHash } = session
  const problem = describePasswordProblem(password, signInName)
  if (problem !== undefined) return { kind: 'weak-password', problem }
  // Counted by session, so that nobody else can use up the attempts.
  const browser = tokenHash.toString('base64url')
  const attempt = { account: accountId, address, browser, now: act.now }
  const waitMs = await countAttempt(deps, attempt)
  if (waitMs !== undefined) return { kind: 'too-many-attempts', waitMs }
  const stored = await readPasswordHash(deps.db, accountId)
  if (!(await verifyPassword(stored, current, { isKnown: true }))) return { kind: 'wrong-password' }
  await clearAttempts(deps, attempt)
  const passwordHash = await hashPassword(password)
  const sessionToken = await transactAudited(deps.db, async (transaction) => {
    await setPasswordHash(transaction, accountId, passwordHash)
    await endSessions(transaction, { accountId })
    const within = { ...deps, db: transaction }
    await auditAccount(within, { accountId, action: 'account.password_changed' }, act)
    return startSession(within, { accountId, organizationId, device, now: act.now })
  })
  const browserToken = issueBrowserToken(deps.secret, { id: accountId, passwordHash }, act.now)
  return { kind: 'changed', sessionToken, browserToken }
}

export interface PasswordConfirmation {
  session: Session
  password: string
  /** IP address of the client. */
  address: string
  now: number
}

/** Whether a signed-in person knows the password of the account; always for an account without one. */
export async function confirmPassword(
  deps: AccountDeps,
  { session, password, address, now }: PasswordConfirmation,
): Promise<'right' | 'wrong-password' | 'too-many-attempts'> {
  const { accountId, tokenHash } = session
  const stored = await readPasswordHash(deps.db, accountId)
  if (stored === null) return 'right'
  const attempt = { account: accountId, address, browser: tokenHash.toString('base64url'), now }
  if ((await countAttempt(deps, attempt)) !== undefined) return 'too-many-attempts'
  if (!(await verifyPassword(stored, password, { isKnown: true }))) return 'wrong-password'
  await clearAttempts(deps, attempt)
  return 'right'
}

async function readPasswordHash(db: Database, accountId: string): Promise<string | null> {
  const { password_hash: stored } = await db
    .selectFrom('accounts')
    .select('password_hash')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return stored
}

/** Ends every session of an account. */
export async function signOutEverywhere(
  deps: AccountDeps,
  accountId: string,
  act: Act,
): Promise<void> {
  await transactAudited(deps.db, async (transaction) => {
    await endSessions(transaction, { accountId })
    await auditAccount(
      { ...deps, db: transaction },
      { accountId, action: 'account.signed_out_everywhere' },
      act,
    )
  })
}

/**
 * Disconnects an account from single sign-on.
 * @throws AdminError `not_possible` for an account without a password
 */
export async function disconnectIdentities(
  deps: AccountDeps,
  accountId: string,
  act: Act,
): Promise<void> {
  await transactAudited(deps.db, async (transaction) => {
    const { hasPassword, hasIdentity } = await getSignInMethods(transaction, accountId)
    if (!hasIdentity) return
    if (!hasPassword) {
      throw new AdminError(
        'not_possible',
        'Your account has no password. Ask the operator of the service for a reset link first.',
      )
    }
    await removeIdentities(transaction, accountId)
    await auditAccount(
      { ...deps, db: transaction },
      { accountId, action: 'account.identity_removed' },
      act,
    )
  })
}

export interface SignInMethods {
  hasPassword: boolean
  hasIdentity: boolean
}

/** How an account can sign in. */
export async function getSignInMethods(db: Database, accountId: string): Promise<SignInMethods> {
  const account = await db
    .selectFrom('accounts')
    .leftJoin('account_identities', 'account_identities.account_id', 'accounts.id')
    .select(['accounts.password_hash', 'account_identities.subject'])
    .where('accounts.id', '=', accountId)
    .executeTakeFirstOrThrow()
  return { hasPassword: account.password_hash !== null, hasIdentity: account.subject !== null }
}

export interface OwnMembership {
  organizationId: string
  organizationName: string
  role: string
}

/** The organisations that an account is a member of, sorted by name. */
export async function listOwnMemberships(
  db: Database,
  accountId: string,
): Promise<OwnMembership[]> {
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
    .select(['organizations.id', 'organizations.name', 'memberships.role'])
    .where('memberships.account_id', '=', accountId)
    .orderBy('organizations.name')
    .limit(1_000)
    .execute()
  return rows.map(({ id, name, role }) => ({ organizationId: id, organizationName: name, role }))
}
