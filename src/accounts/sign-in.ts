import type { AccountDeps } from './account-deps.js'
import { findAccountByEmail, findHomeOrganization } from './account.js'
import { verifyPassword, MAX_PASSWORD_LENGTH } from './password.js'
import { startSession } from './session.js'
import { countAttempt, clearAttempts } from './sign-in-attempts.js'

export interface SignIn {
  /** In lower case. */
  email: string
  password: string
  /** IP address of the client. */
  address: string
  device: string
  now: number
}

export type SignInOutcome =
  | { kind: 'signed-in'; sessionToken: string }
  /** Unknown account, wrong password or no membership, deliberately not distinguished. */
  | { kind: 'refused' }
  | { kind: 'too-many-attempts'; waitMs: number }

/** Signs in by password. Takes as long for an unknown account as for a wrong password. */
export async function signInByPassword(deps: AccountDeps, signIn: SignIn): Promise<SignInOutcome> {
  const { email, password } = signIn
  const waitMs = await countAttempt(deps, signIn)
  if (waitMs !== undefined) return { kind: 'too-many-attempts', waitMs }
  if ([...password].length > MAX_PASSWORD_LENGTH) return { kind: 'refused' }
  const account = await findAccountByEmail(deps.db, email)
  const matches = await verifyPassword(account?.passwordHash ?? null, password)
  if (!account || !matches) return { kind: 'refused' }
  const sessionToken = await signInAccount(deps, { ...signIn, accountId: account.id })
  if (sessionToken === undefined) return { kind: 'refused' }
  await clearAttempts(deps, signIn)
  return { kind: 'signed-in', sessionToken }
}

/** Starts a session for an authenticated account; undefined if it is a member of no organisation. */
export async function signInAccount(
  deps: AccountDeps,
  { accountId, device, now }: { accountId: string; device: string; now: number },
): Promise<string | undefined> {
  const organizationId = await findHomeOrganization(deps.db, accountId)
  if (organizationId === undefined) return undefined
  await deps.db
    .updateTable('accounts')
    .set({ last_sign_in_at: now })
    .where('id', '=', accountId)
    .execute()
  return startSession(deps, { accountId, organizationId, device, now })
}
