import { newId } from '../organizations/new-id.js'
import { transactAudited } from '../organizations/transact-audited.js'
import { acceptInvitation } from './accept-invitation.js'
import type { AccountDeps } from './account-deps.js'
import { findAccountBySignInName, insertAccount } from './account.js'
import { findIdentityOwner, insertIdentity } from './account-identity.js'
import { auditAccount } from './audit-account.js'
import { checkAddress, type IdentityOutcome, type IdentityRefusal } from './identity-refusal.js'
import type { Identity } from './identity-provider.js'
import { findInvitation, findInvitationByEmail, type Invitation } from './invitation.js'
import { signInAccount } from './sign-in.js'
import { verifyAddress } from './verify-address.js'

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
  const address = checkAddress(identity, emailDomains)
  if ('problem' in address) return refuse(address.problem)
  const { email } = address
  const invitation = await findMatchingInvitation(deps, { email, invitationToken, now })
  const owner = await findIdentityOwner(deps.db, identity)
  if (owner && !(await confirmOwner(deps, { owner, identity, email, now }))) {
    return refuse('address-changed')
  }
  if (owner && !invitation) {
    const sessionToken = await signInAccount(deps, { accountId: owner.accountId, device, now })
    return sessionToken ? { kind: 'signed-in', sessionToken } : refuse('not-invited')
  }
  if (!invitation) return refuse('not-invited')
  if (invitation.email !== null && invitation.email !== email) return refuse('other-address')
  const accountId = owner?.accountId ?? newId('acc')
  const outcome = await acceptInvitation(deps, invitation, {
    accountId,
    device,
    now,
    beforeJoining: async (transaction) => {
      if (owner) return 'ready'
      if (await findAccountBySignInName(transaction, email)) return 'name-taken'
      const account = { id: accountId, signInName: email, email, passwordHash: null }
      await insertAccount(transaction, account, now)
      await insertIdentity(transaction, identity, accountId)
      return 'ready'
    },
  })
  if (outcome.kind === 'name-taken') return refuse('has-account')
  if (outcome.kind === 'gone') return refuse('gone')
  return { kind: 'signed-in', sessionToken: outcome.sessionToken }
}

/**
 * Connects an identity with a signed-in account, so that it can sign in to it from now on. The identity must have the
 * address of the account; an account that signs in with a name gets the address of the identity.
 */
export async function connectIdentity(
  deps: AccountDeps,
  input: Pick<IdentitySignIn, 'identity' | 'emailDomains' | 'now'> & { accountId: string },
): Promise<IdentityOutcome> {
  const { identity, emailDomains, accountId, now } = input
  const address = checkAddress(identity, emailDomains)
  if ('problem' in address) return refuse(address.problem)
  const { email } = address
  return transactAudited(deps.db, async (transaction) => {
    const owner = await findIdentityOwner(transaction, identity)
    if (owner && owner.accountId !== accountId) return refuse('taken')
    const { sign_in_name: signInName, email: own } = await transaction
      .selectFrom('accounts')
      .select(['sign_in_name', 'email'])
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow()
    if (!isAddressOf({ signInName, email: own }, email)) return refuse('address-differs')
    if (own === null && !(await verifyAddress(transaction, { accountId, email }))) {
      return refuse('has-account')
    }
    await insertIdentity(transaction, identity, accountId)
    const change = { accountId, action: 'account.identity_connected' } as const
    await auditAccount({ ...deps, db: transaction }, change, { actor: `portal:${accountId}`, now })
    return { kind: 'connected' }
  })
}

function refuse(reason: IdentityRefusal): IdentityOutcome {
  return { kind: 'refused', reason }
}

/** Whether an account may have this verified address: a sign-in name that looks like an address stands for that one. */
function isAddressOf(
  account: { signInName: string; email: string | null },
  email: string,
): boolean {
  const { signInName, email: own } = account
  return own === null ? !signInName.includes('@') || signInName === email : own === email
}

interface Ownership {
  now: number
  owner: { accountId: string; signInName: string; email: string | null }
  identity: Identity
  email: string
}

/**
 * Whether the owner of an identity still has the address that the provider has verified. An account from before
 * addresses were verified gets it now.
 */
async function confirmOwner(
  deps: AccountDeps,
  { owner, identity, email, now }: Ownership,
): Promise<boolean> {
  if (owner.email !== null || !isAddressOf(owner, email)) return owner.email === email
  return transactAudited(deps.db, async (transaction) => {
    const { accountId } = owner
    if (!(await verifyAddress(transaction, { accountId, email }))) return false
    await insertIdentity(transaction, identity, accountId)
    const change = { accountId, action: 'account.address_verified' } as const
    await auditAccount({ ...deps, db: transaction }, change, { actor: `portal:${accountId}`, now })
    return true
  })
}

/** The invitation of the link, or without a link one for the address. */
async function findMatchingInvitation(
  deps: AccountDeps,
  input: { email: string; invitationToken: string | undefined; now: number },
): Promise<Invitation | undefined> {
  const { email, invitationToken, now } = input
  if (invitationToken !== undefined) return findInvitation(deps, invitationToken, now)
  return findInvitationByEmail(deps.db, email, now)
}
