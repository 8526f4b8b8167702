import type { AccountDeps } from './account-deps.js'
import { findAccountBySignInName, findHomeOrganization, type Account } from './account.js'
import { issueBrowserToken, readBrowserToken } from './known-browser.js'
import { verifyPassword, MAX_PASSWORD_LENGTH } from './password.js'
import { startSession } from './session.js'
import { countAttempt, clearAttempts } from './sign-in-attempts.js'

export interface SignIn {
  /** The name or address that was entered, in lower case. */
  signInName: string
  password: string
  /** IP address of the client. */
  address: string
  /** Token of a browser that signed in before, from its cookie. */
  browserToken: string | undefined
  device: string
  now: number
}

/** Tokens for the cookies of a browser in which a password was entered. */
export interface SignedIn {
  sessionToken: string
  browserToken: string
}

interface TooManyAttempts {
  kind: 'too-many-attempts'
  waitMs: number
}

export type SignInOutcome =
  | ({ kind: 'signed-in' } & SignedIn)
  /** Unknown account, wrong password or no membership, deliberately not distinguished. */
  | { kind: 'refused' }
  | TooManyAttempts

/** Signs in by password. Takes as long for an unknown account as for a wrong password. */
export async function signInByPassword(deps: AccountDeps, signIn: SignIn): Promise<SignInOutcome> {
  const outcome = await checkPassword(deps, signIn)
  if (outcome.kind !== 'right') return outcome
  const { account } = outcome
  const sessionToken = await signInAccount(deps, { ...signIn, accountId: account.id })
  if (sessionToken === undefined) return { kind: 'refused' }
  const browserToken = issueBrowserToken(deps.secret, account, signIn.now)
  return { kind: 'signed-in', sessionToken, browserToken }
}

export type PasswordOutcome =
  { kind: 'right'; account: Account } | { kind: 'refused' } | TooManyAttempts

/** Finds the account that a name and password belong to, within the limits of failed attempts. */
export async function checkPassword(deps: AccountDeps, signIn: SignIn): Promise<PasswordOutcome> {
  const { signInName, password, address, browserToken: token, now } = signIn
  const account = await findAccountBySignInName(deps.db, signInName)
  const browser = readBrowserToken(deps.secret, { token, account }, now)
  const attempt = { account: account?.id ?? signInName, address, browser, now }
  const waitMs = await countAttempt(deps, attempt)
  if (waitMs !== undefined) return { kind: 'too-many-attempts', waitMs }
  if ([...password].length > MAX_PASSWORD_LENGTH) return { kind: 'refused' }
  const isKnown = browser !== undefined
  const matches = await verifyPassword(account?.passwordHash ?? null, password, { isKnown })
  if (!account || !matches) return { kind: 'refused' }
  await clearAttempts(deps, attempt)
  return { kind: 'right', account }
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
