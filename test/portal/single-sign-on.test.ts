import { createInvitation } from '../../src/accounts/invitation.js'
import { createPasswordReset } from '../../src/accounts/password-reset.js'
import { listAudit } from '../../src/organizations/audit-log.js'
import { startIdentityProvider, type LocalProvider } from './_identity-provider.js'
import { startPortal, type Member, type Portal } from './_portal.js'

let provider: LocalProvider
let portal: Portal
let people = 0

beforeAll(async () => {
  provider = await startIdentityProvider()
  portal = await startPortal({
    env: {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: 'portal',
      OIDC_CLIENT_SECRET: 'a client secret',
      OIDC_EMAIL_DOMAINS: 'example.com',
    },
  })
})
afterAll(async () => {
  await portal.close()
  await provider.close()
})
beforeEach(() => {
  const sub = `person-${++people}`
  provider.person = { sub, email: `${sub}@example.com`, email_verified: true }
  provider.tamper = () => {}
})

interface Trip {
  query?: Record<string, string>
  /** Token of the invitation whose page the trip starts on. */
  invitation?: string
  as?: Member
  /** Changes the address that the provider sends the browser back to. */
  alter?: (returned: URL) => void
  /** Drops the cookie that the start of the sign-in set. */
  dropsCookie?: boolean
}

/** Opens the page of an invitation. Returns the cookies that it sets. */
async function openInvitation(token: string): Promise<string[]> {
  const { headers } = await portal.visit('POST /portal/invitation', { form: { token } })
  return headers.getSetCookie().map((cookie) => cookie.split(';')[0]!)
}

/** Goes to the provider and back, as a browser does. */
async function travel({ query = {}, invitation, as, alter, dropsCookie = false }: Trip = {}) {
  if (invitation !== undefined) query = { ...query, invitation: 'yes' }
  const before = invitation === undefined ? [] : await openInvitation(invitation)
  const begun = await portal.visit(`GET /portal/sign-in/sso?${new URLSearchParams(query)}`, {
    headers: { Cookie: [...before, ...(as ? [`portal=${as.sessionToken}`] : [])].join('; ') },
  })
  expect(begun.status).toBe(303)
  const cookie = /portal-sso=[^;]+/.exec(begun.headers.get('set-cookie') ?? '')![0]
  const atProvider = await fetch(begun.location!, { redirect: 'manual' })
  const returned = new URL(atProvider.headers.get('location')!)
  alter?.(returned)
  const cookies = [...(dropsCookie ? [] : [cookie]), ...(as ? [`portal=${as.sessionToken}`] : [])]
  const headers = { Cookie: cookies.join('; ') }
  return portal.visit(`GET ${returned.pathname}${returned.search}` as 'GET /', { headers })
}

async function inviteByLink(email?: string) {
  const { organizationId } = portal
  const act = { actor: 'cli:tester', now: portal.context.clock() }
  const invitation = { organizationId, role: 'developer', email } as const
  return (await createInvitation(portal.context, invitation, act)).token
}

describe('single sign-on', () => {
  it('is offered if it is configured', async () => {
    const { text } = await portal.visit('GET /portal/sign-in?next=%2Fportal%2Faccount')
    expect(text).toContain('/portal/sign-in/sso?next=%2Fportal%2Faccount')
  })

  it('accepts somebody with an invitation, and recognises them afterwards', async () => {
    const joined = await travel({ invitation: await inviteByLink() })
    expect(joined).toMatchObject({ status: 303, location: '/portal' })
    const again = await travel({ query: { next: '/portal/account' } })
    expect(again).toMatchObject({ status: 303, location: '/portal/account' })
    const as = { sessionToken: again.sessionToken! }
    expect((await portal.visit('GET /portal', { as })).text).toContain('developer')
  })

  it('accepts a verified address that an invitation names', async () => {
    await inviteByLink(provider.person.email)
    expect((await travel()).status).toBe(303)
  })

  it('refuses an address that the provider has not verified', async () => {
    await inviteByLink(provider.person.email)
    delete provider.person.email_verified
    expect((await travel()).status).toBe(403)
    for (const verified of [false, 'false', 'true', 1]) {
      provider.tamper = ({ payload }) => void Object.assign(payload, { email_verified: verified })
      expect((await travel()).status).toBe(403)
      expect((await travel({ invitation: await inviteByLink() })).status).toBe(403)
    }
  })

  it('refuses people who are not invited or use another domain', async () => {
    expect((await travel()).status).toBe(403)
    provider.person.email = 'somebody@elsewhere.example'
    const invitation = await inviteByLink()
    expect((await travel({ invitation })).status).toBe(403)
  })

  it('does not open an account that somebody else created with the address', async () => {
    const { email } = await portal.addMember('viewer', { email: provider.person.email! })
    await inviteByLink(email)
    const answer = await travel()
    expect(answer).toMatchObject({ status: 403, sessionToken: undefined })
    expect(answer.text).toContain('Sign in with your password first')
  })

  it('can be connected with a signed-in account', async () => {
    const member = await portal.addMember('owner', { email: provider.person.email! })
    const connected = await travel({ query: { connect: 'yes' }, as: member })
    expect(connected.location).toBe('/portal/account?done=connected')
    const as = { sessionToken: (await travel()).sessionToken! }
    expect((await portal.visit('GET /portal/account', { as })).text).toContain(member.email)
  })

  it('connects only an identity with the address of the account', async () => {
    const member = await portal.addMember('owner')
    const answer = await travel({ query: { connect: 'yes' }, as: member })
    expect(answer.status).toBe(403)
    expect(answer.text).toContain('another address than your account')
    expect((await travel()).sessionToken).toBeUndefined()
  })

  it('gives an account with a sign-in name the address of the identity that it connects', async () => {
    const form = { token: await inviteByLink(), name: 'ada', password: 'green stapler on mars' }
    const { sessionToken } = await portal.visit('POST /portal/invitation/new-account', { form })
    const as = { sessionToken: sessionToken! } as Member
    const connected = await travel({ query: { connect: 'yes' }, as })
    expect(connected.location).toBe('/portal/account?done=connected')
    const signedIn = await portal.visit('POST /portal/sign-in', {
      form: { name: provider.person.email!, password: form.password },
    })
    expect(signedIn.status).toBe(303)
  })

  it('is disconnected by the member or by a password reset, which the audit log says', async () => {
    for (const way of ['member', 'reset']) {
      provider.person = {
        sub: `${way}-${people}`,
        email: `${way}-${people}@example.com`,
        email_verified: true,
      }
      const member = await portal.addMember('viewer', { email: provider.person.email! })
      await travel({ query: { connect: 'yes' }, as: member })
      expect((await travel()).status).toBe(303)
      if (way === 'member') await portal.visit('POST /portal/account/disconnect', { as: member })
      else {
        const act = { actor: 'cli:tester', now: portal.context.clock() }
        const { token } = await createPasswordReset(portal.context, member.accountId, act)
        const form = { token, password: 'green stapler on mars' }
        await portal.visit('POST /portal/reset/password', { form })
      }
      expect((await travel()).status).toBe(403)
      const entries = await listAudit(portal.context.db, { subject: member.accountId, limit: 10 })
      expect(entries.map(({ action }) => action)).toEqual(
        expect.arrayContaining(['account.identity_connected', 'account.identity_removed']),
      )
    }
  })

  it('keeps an account without a password from before addresses were verified, and verifies its address', async () => {
    const { sessionToken } = await travel({ invitation: await inviteByLink() })
    expect(sessionToken).toBeDefined()
    const { db } = portal.context
    const email = provider.person.email!
    await db
      .updateTable('accounts')
      .set({ email: null })
      .where('sign_in_name', '=', email)
      .execute()
    provider.person.email = 'somebody.else@example.com'
    expect((await travel()).status).toBe(403)
    provider.person.email = email
    expect((await travel()).status).toBe(303)
    const account = await db
      .selectFrom('accounts')
      .select('email')
      .where('sign_in_name', '=', email)
      .executeTakeFirst()
    expect(account).toEqual({ email })
  })

  it('refuses an identity whose address has changed', async () => {
    await travel({ invitation: await inviteByLink() })
    provider.person.email = 'renamed@example.com'
    const answer = await travel()
    expect(answer.status).toBe(403)
    expect(answer.text).toContain('Your e-mail address has changed')
  })

  it('is refused for a removed member', async () => {
    const { sessionToken } = await travel({ invitation: await inviteByLink() })
    const { text } = await portal.visit('GET /portal/account', {
      as: { sessionToken: sessionToken! },
    })
    expect(text).toContain(provider.person.email)
    const owner = await portal.addMember('owner')
    const { id } = await portal.context.db
      .selectFrom('accounts')
      .select('id')
      .where('email', '=', provider.person.email!)
      .executeTakeFirstOrThrow()
    await portal.visit(`POST /portal/members/${id}/remove`, { as: owner })
    expect((await travel()).status).toBe(403)
  })

  it('refuses a response that the browser did not ask for', async () => {
    const invitation = await inviteByLink()
    expect((await travel({ invitation, dropsCookie: true })).status).toBe(400)
    const alter = (url: URL) => url.searchParams.set('state', 'another')
    expect((await travel({ invitation, alter })).status).toBe(401)
  })

  it.each([
    ['another nonce', { nonce: 'another' }],
    ['another audience', { aud: 'another-client' }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['an expiry in the past', { exp: 1_000 }],
  ])('refuses a token with %s', async (_defect, claims) => {
    provider.tamper = ({ payload }) => void Object.assign(payload, claims)
    const answer = await travel({ invitation: await inviteByLink() })
    expect(answer).toMatchObject({ status: 401, sessionToken: undefined })
  })
})

describe('without a working identity provider', () => {
  it('the portal offers no single sign-on', async () => {
    const plain = await startPortal()
    try {
      expect((await plain.visit('GET /portal/sign-in/sso')).status).toBe(404)
      expect((await plain.visit('GET /portal/sign-in')).text).not.toContain('sso')
    } finally {
      await plain.close()
    }
  })

  it('the portal says so when the provider does not respond', async () => {
    const env = { OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'portal' }
    const unconnected = await startPortal({ env })
    try {
      expect((await unconnected.visit('GET /portal/sign-in/sso')).status).toBe(503)
    } finally {
      await unconnected.close()
    }
  })
})
