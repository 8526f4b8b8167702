import { createInvitation, type NewInvitation } from '../../src/accounts/invitation.js'
import { createPasswordReset } from '../../src/accounts/password-reset.js'
import { startIdentityProvider, type LocalProvider } from './_identity-provider.js'
import { startPortal, type PageAnswer, type Portal } from './_portal.js'

const THEIRS = 'green stapler on mars'
const OWN = 'purple stapler on venus'

let provider: LocalProvider
let portal: Portal
let victims: string
let boss: string
let people = 0

beforeAll(async () => {
  provider = await startIdentityProvider()
  portal = await startPortal({ env: { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: 'portal' } })
})
afterAll(async () => {
  await portal.close()
  await provider.close()
})
beforeEach(async () => {
  victims = await portal.createOrganization()
  boss = `boss-${++people}@victim.example`
  const email = `attacker-${people}@evil.example`
  provider.person = { sub: `attacker-${people}`, email, email_verified: true }
})

const act = () => ({ actor: 'cli:tester', now: portal.context.clock() })

async function invite(invitation: Omit<NewInvitation, 'role'>): Promise<string> {
  return (await createInvitation(portal.context, { ...invitation, role: 'owner' }, act())).token
}

/** Goes to the identity provider and back, as the person that it signs in. */
async function signInByProvider(query: Record<string, string> = {}, sessionToken?: string) {
  const session = sessionToken === undefined ? [] : [`portal=${sessionToken}`]
  const begun = await portal.visit(`GET /portal/sign-in/sso?${new URLSearchParams(query)}`, {
    headers: { Cookie: session.join('; ') },
  })
  const flow = /portal-sso=[^;]+/.exec(begun.headers.get('set-cookie') ?? '')![0]
  const atProvider = await fetch(begun.location!, { redirect: 'manual' })
  const { pathname, search } = new URL(atProvider.headers.get('location')!)
  const headers = { Cookie: [flow, ...session].join('; ') }
  return portal.visit(`GET ${pathname}${search}` as 'GET /', { headers })
}

/** The organisations that a session can act in. */
async function reachOf({ sessionToken }: PageAnswer): Promise<boolean> {
  if (!sessionToken) return false
  const answer = await portal.visit('POST /portal/account/organization', {
    as: { sessionToken },
    form: { organization: victims },
  })
  return answer.status === 303
}

/** The boss gets a reset link for the address from the operator, if it has an account, and accepts the invitation. */
async function joinAsBoss(): Promise<PageAnswer> {
  const account = await portal.context.db
    .selectFrom('accounts')
    .select('id')
    .where('sign_in_name', '=', boss)
    .executeTakeFirst()
  if (account) {
    const { token } = await createPasswordReset(portal.context, account.id, act())
    await portal.visit('POST /portal/reset/password', { form: { token, password: OWN } })
  }
  const token = await invite({ organizationId: victims, email: boss })
  const joined = await portal.visit('POST /portal/invitation/address', {
    form: { token, password: OWN },
  })
  expect(joined.status).toBe(303)
  return joined
}

/** An account whose sign-in name is an address that nobody verified, as versions before 0.3.0 created them. */
async function openUnverifiedAccount(): Promise<string> {
  const member = await portal.addMember('viewer', { email: boss })
  await portal.context.db
    .updateTable('accounts')
    .set({ email: null })
    .where('id', '=', member.accountId)
    .execute()
  return member.sessionToken
}

describe('somebody who claims the address of another organisation’s owner', () => {
  it('cannot open an account with it by a link that names no address', async () => {
    const token = await invite({ organizationId: portal.organizationId })
    const answer = await portal.visit('POST /portal/invitation/new-account', {
      form: { token, name: boss, password: THEIRS },
    })
    expect(answer).toMatchObject({ status: 400, sessionToken: undefined })
  })

  it('cannot connect an identity of their own with an account from before addresses were verified', async () => {
    const sessionToken = await openUnverifiedAccount()
    const connected = await signInByProvider({ connect: 'yes' }, sessionToken)
    expect(connected.status).toBe(403)
    await joinAsBoss()
    expect(await reachOf(await signInByProvider())).toBe(false)
    expect(await reachOf({ sessionToken } as PageAnswer)).toBe(false)
  })

  it('loses the identity that such an account was connected with when the password is reset', async () => {
    await openUnverifiedAccount()
    const { id } = await portal.context.db
      .selectFrom('accounts')
      .select('id')
      .where('sign_in_name', '=', boss)
      .executeTakeFirstOrThrow()
    await portal.context.db
      .insertInto('account_identities')
      .values({ issuer: provider.issuer, subject: provider.person.sub, account_id: id })
      .execute()
    const joined = await joinAsBoss()
    expect(await reachOf(joined)).toBe(true)
    expect(await reachOf(await signInByProvider())).toBe(false)
  })

  it('cannot join by the link of the owner’s invitation without the password of the account', async () => {
    const sessionToken = await openUnverifiedAccount()
    const token = await invite({ organizationId: victims, email: boss })
    const joined = await portal.visit('POST /portal/invitation/join', {
      as: { sessionToken },
      form: { token },
    })
    expect(joined.status).toBe(403)
  })

  it('loses everything at a reset, even after an invitation that they wrote themselves', async () => {
    const token = await invite({ organizationId: portal.organizationId, email: boss })
    const opened = await portal.visit('POST /portal/invitation/address', {
      form: { token, password: THEIRS },
    })
    expect(opened.status).toBe(303)
    const connected = await signInByProvider({ connect: 'yes' }, opened.sessionToken)
    expect(connected.status).toBe(403)
    expect(await reachOf(await joinAsBoss())).toBe(true)
    const form = { name: boss, password: THEIRS }
    expect(await reachOf(await portal.visit('POST /portal/sign-in', { form }))).toBe(false)
    expect(await reachOf(await signInByProvider())).toBe(false)
    expect(await reachOf(opened)).toBe(false)
  })
})

describe('the owner of an address', () => {
  it('has it verified by accepting an invitation to it with the account that they have', async () => {
    await openUnverifiedAccount()
    await joinAsBoss()
    const { email } = await portal.context.db
      .selectFrom('accounts')
      .select('email')
      .where('sign_in_name', '=', boss)
      .executeTakeFirstOrThrow()
    expect(email).toBe(boss)
  })
})
