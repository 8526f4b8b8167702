import type { Database } from '../database/open-database.js'
import { newId } from '../organizations/new-id.js'
import { acceptInvitation } from './accept-invitation.js'
import { findAccountByEmail, insertAccount } from './account.js'
import type { Identity } from './identity-provider.js'
import {
  findInvitation,
  findInvitationByEmail,
  type AccessDeps,
  type Invitation,
} from './invitation.js'
import { signInAccount } from './sign-in.js'

export type IdentityRefusal =
  | 'no-email'
  | 'domain'
  | 'not-invited'
  /** The invitation names another address. */
  | 'other-address'
  /** The address has an account with a password: only its owner may connect it. */
  | 'has-account'
  /** The identity belongs to another account. */
  | 'taken'
  | 'gone'

export type IdentityOutcome =
  | { kind: 'signed-in'; sessionToken: string }
  | { kind: 'connected' }
  | { kind: 'refused'; reason: IdentityRefusal }

export interface Arrival {
  identity: Identity
  emailDomains: readonly string[]
  invitationToken: string | undefined
  device: string
  now: number
}

/**
 * Signs in whoever comes back from the identity provider: a known identity, or somebody invited. An address alone
 * never opens an existing account, since whoever made that account need not own the address.
 */
export async function settleIdentity(
  deps: AccessDeps,
  { identity, emailDomains, invitationToken, device, now }: Arrival,
): Promise<IdentityOutcome> {
  const problem = describeAddressProblem(identity, emailDomains)
  if (problem) return refuse(problem)
  const invitation = await findOffer(deps, { identity, invitationToken, now })
  const known = await findIdentity(deps.db, identity)
  if (known !== undefined && !invitation) {
    const sessionToken = await signInAccount(deps, { accountId: known, device, now })
    return sessionToken ? { kind: 'signed-in', sessionToken } : refuse('not-invited')
  }
  if (!invitation) return refuse('not-invited')
  if (!mayUse(invitation, identity)) return refuse('other-address')
  const email = identity.email!
  if (known === undefined && (await findAccountByEmail(deps.db, email))) {
    return refuse('has-account')
  }
  const accountId = known ?? newId('acc')
  const outcome = await acceptInvitation(deps, invitation, {
    accountId,
    device,
    now,
    prepare: async (transaction) => {
      if (known !== undefined) return
      await insertAccount(transaction, { id: accountId, email, passwordHash: null }, now)
      await insertIdentity(transaction, identity, accountId)
    },
  })
  if (outcome.kind === 'gone') return refuse('gone')
  return { kind: 'signed-in', sessionToken: outcome.sessionToken }
}

/** Lets an account that is signed in be opened by the identity from now on. */
export async function connectIdentity(
  db: Database,
  {
    identity,
    accountId,
    emailDomains,
  }: Pick<Arrival, 'identity' | 'emailDomains'> & {
    accountId: string
  },
): Promise<IdentityOutcome> {
  const problem = describeAddressProblem(identity, emailDomains)
  if (problem) return refuse(problem)
  const known = await findIdentity(db, identity)
  if (known !== undefined) return known === accountId ? { kind: 'connected' } : refuse('taken')
  await insertIdentity(db, identity, accountId)
  return { kind: 'connected' }
}

function refuse(reason: IdentityRefusal): IdentityOutcome {
  return { kind: 'refused', reason }
}

function describeAddressProblem(
  { email, emailVerified }: Identity,
  emailDomains: readonly string[],
): IdentityRefusal | undefined {
  if (email === undefined || emailVerified === false) return 'no-email'
  const domain = email.slice(email.lastIndexOf('@') + 1)
  return emailDomains.length > 0 && !emailDomains.includes(domain) ? 'domain' : undefined
}

/** The invitation of the link, or else one that names the address, which the provider must have verified. */
async function findOffer(
  deps: AccessDeps,
  { identity, invitationToken, now }: Pick<Arrival, 'identity' | 'invitationToken' | 'now'>,
): Promise<Invitation | undefined> {
  if (invitationToken !== undefined) return findInvitation(deps, invitationToken, now)
  if (!identity.email || !identity.emailVerified) return undefined
  return findInvitationByEmail(deps.db, identity.email, now)
}

function mayUse(invitation: Invitation, { email, emailVerified }: Identity): boolean {
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
