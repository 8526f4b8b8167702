import { createInvitation } from '../../src/accounts/invitation.js'
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
  as?: Member
  /** Changes the address that the provider sends the browser back to. */
  alter?: (returned: URL) => void
  /** Drops the cookie that the start of the sign-in set. */
  dropsCookie?: boolean
}

/** Goes to the provider and back, as a browser does. */
async function travel({ query = {}, as, alter, dropsCookie = false }: Trip = {}) {
  const begun = await portal.visit(`GET /portal/sign-in/sso?${new URLSearchParams(query)}`, { as })
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
    const joined = await travel({ query: { invitation: await inviteByLink() } })
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
    provider.person.email_verified = false
    const invitation = await inviteByLink()
    expect((await travel({ query: { invitation } })).status).toBe(403)
  })

  it('refuses people who are not invited or use another domain', async () => {
    expect((await travel()).status).toBe(403)
    provider.person.email = 'somebody@elsewhere.example'
    const invitation = await inviteByLink()
    expect((await travel({ query: { invitation } })).status).toBe(403)
  })

  it('does not open an account that somebody else created with the address', async () => {
    const { email } = await portal.addMember('viewer', { email: provider.person.email! })
    await inviteByLink(email)
    const answer = await travel()
    expect(answer).toMatchObject({ status: 403, sessionToken: undefined })
    expect(answer.text).toContain('Sign in with your password first')
  })

  it('can be connected with a signed-in account', async () => {
    const member = await portal.addMember('owner')
    const connected = await travel({ query: { connect: 'yes' }, as: member })
    expect(connected.location).toBe('/portal/account?done=connected')
    const as = { sessionToken: (await travel()).sessionToken! }
    expect((await portal.visit('GET /portal/account', { as })).text).toContain(member.email)
  })

  it('is refused for a removed member', async () => {
    const { sessionToken } = await travel({ query: { invitation: await inviteByLink() } })
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
    const query = { invitation }
    expect((await travel({ query, dropsCookie: true })).status).toBe(400)
    const alter = (url: URL) => url.searchParams.set('state', 'another')
    expect((await travel({ query, alter })).status).toBe(401)
  })

  it.each([
    ['another nonce', { nonce: 'another' }],
    ['another audience', { aud: 'another-client' }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['an expiry in the past', { exp: 1_000 }],
  ])('refuses a token with %s', async (_defect, claims) => {
    provider.tamper = ({ payload }) => void Object.assign(payload, claims)
    const answer = await travel({ query: { invitation: await inviteByLink() } })
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
