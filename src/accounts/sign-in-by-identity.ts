import type { Database } from '../database/open-database.js'
import { newId } from '../organizations/new-id.js'
import { acceptInvitation } from './accept-invitation.js'
import type { AccountDeps } from './account-deps.js'
import { findAccountByEmail, insertAccount } from './account.js'
import type { Identity } from './identity-provider.js'
import { findInvitation, findInvitationByEmail, type Invitation } from './invitation.js'
import { signInAccount } from './sign-in.js'

export type IdentityRefusal =
  | 'no-email'
  | 'domain'
  | 'not-invited'
  /** The invitation names another address. */
  | 'other-address'
  /** The address has an account with a password, which only its owner may connect. */
  | 'has-account'
  /** The identity belongs to another account. */
  | 'taken'
  /** The invitation was used or withdrawn in the meantime. */
  | 'gone'

export type IdentityOutcome =
  | { kind: 'signed-in'; sessionToken: string }
  | { kind: 'connected' }
  | { kind: 'refused'; reason: IdentityRefusal }

export interface IdentitySignIn {
  identity: Identity
  emailDomains: readonly string[]
  invitationToken: string | undefined
  device: string
  now: number
}

/**
 * Signs in a person that the identity provider has identified, if the identity is known or the person is invited. A
 * matching address alone never opens an existing account, because its creator need not own the address.
 */
export async function signInByIdentity(
  deps: AccountDeps,
  { identity, emailDomains, invitationToken, device, now }: IdentitySignIn,
): Promise<IdentityOutcome> {
  const problem = checkAddress(identity, emailDomains)
  if (problem) return refuse(problem)
  const invitation = await findMatchingInvitation(deps, { identity, invitationToken, now })
  const known = await findIdentity(deps.db, identity)
  if (known !== undefined && !invitation) {
    const sessionToken = await signInAccount(deps, { accountId: known, device, now })
    return sessionToken ? { kind: 'signed-in', sessionToken } : refuse('not-invited')
  }
  if (!invitation) return refuse('not-invited')
  if (!canUse(invitation, identity)) return refuse('other-address')
  const email = identity.email!
  if (known === undefined && (await findAccountByEmail(deps.db, email))) {
    return refuse('has-account')
  }
  const accountId = known ?? newId('acc')
  const outcome = await acceptInvitation(deps, invitation, {
    accountId,
    device,
    now,
    beforeJoining: async (transaction) => {
      if (known !== undefined) return
      await insertAccount(transaction, { id: accountId, email, passwordHash: null }, now)
      await insertIdentity(transaction, identity, accountId)
    },
  })
  if (outcome.kind === 'gone') return refuse('gone')
  return { kind: 'signed-in', sessionToken: outcome.sessionToken }
}

/** Connects an identity with a signed-in account, so that it can sign in to it from now on. */
export async function connectIdentity(
  db: Database,
  input: Pick<IdentitySignIn, 'identity' | 'emailDomains'> & { accountId: string },
): Promise<IdentityOutcome> {
  const { identity, emailDomains, accountId } = input
  const problem = checkAddress(identity, emailDomains)
  if (problem) return refuse(problem)
  const known = await findIdentity(db, identity)
  if (known !== undefined) return known === accountId ? { kind: 'connected' } : refuse('taken')
  await insertIdentity(db, identity, accountId)
  return { kind: 'connected' }
}

function refuse(reason: IdentityRefusal): IdentityOutcome {
  return { kind: 'refused', reason }
}

function checkAddress(
  { email, emailVerified }: Identity,
  emailDomains: readonly string[],
): IdentityRefusal | undefined {
  if (email === undefined || emailVerified === false) return 'no-email'
  const domain = email.slice(email.lastIndexOf('@') + 1)
  return emailDomains.length > 0 && !emailDomains.includes(domain) ? 'domain' : undefined
}

/** The invitation of the link, or without a link one for the address, which the provider must have verified. */
async function findMatchingInvitation(
  deps: AccountDeps,
  { identity, invitationToken, now }: Pick<IdentitySignIn, 'identity' | 'invitationToken' | 'now'>,
): Promise<Invitation | undefined> {
  if (invitationToken !== undefined) return findInvitation(deps, invitationToken, now)
  if (!identity.email || !identity.emailVerified) return undefined
  return findInvitationByEmail(deps.db, identity.email, now)
}

function canUse(invitation: Invitation, { email, emailVerified }: Identity): boolean {
  return invitation.email === null || (invitation.email === email && emailVerified === true)
}

async function findIdentity(db: Database, { issuer, subject }: Identity) {
  const row = await db
    .selectFrom('account_identities')
    .select('account_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.account_id
}

async function insertIdentity(db: Database, { issuer, subject }: Identity, accountId: string) {
  await db
    .insertInto('account_identities')
    .values({ issuer, subject, account_id: accountId })
    .execute()
}
