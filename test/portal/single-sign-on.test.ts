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
  provider.spoil = () => {}
})

interface Trip {
  query?: Record<string, string>
  as?: Member
  /** Changes the address that the provider sends the browser back to. */
  alter?: (returned: URL) => void
  /** The browser that comes back has no cookie of the beginning. */
  forgets?: boolean
}

/** To the provider and back, as a browser goes. */
async function travel({ query = {}, as, alter, forgets = false }: Trip = {}) {
  const begun = await portal.visit(`GET /portal/sign-in/sso?${new URLSearchParams(query)}`, { as })
  expect(begun.status).toBe(303)
  const cookie = /portal-sso=[^;]+/.exec(begun.headers.get('set-cookie') ?? '')![0]
  const atProvider = await fetch(begun.location!, { redirect: 'manual' })
  const returned = new URL(atProvider.headers.get('location')!)
  alter?.(returned)
  const cookies = [...(forgets ? [] : [cookie]), ...(as ? [`portal=${as.sessionToken}`] : [])]
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
  it('is offered where it is configured', async () => {
    const { text } = await portal.visit('GET /portal/sign-in?next=%2Fportal%2Faccount')
    expect(text).toContain('/portal/sign-in/sso?next=%2Fportal%2Faccount')
  })

  it('takes in somebody with an invitation, and knows them from then on', async () => {
    const joined = await travel({ query: { invitation: await inviteByLink() } })
    expect(joined).toMatchObject({ status: 303, location: '/portal' })
    const again = await travel({ query: { next: '/portal/account' } })
    expect(again).toMatchObject({ status: 303, location: '/portal/account' })
    const as = { sessionToken: again.sessionToken! }
    expect((await portal.visit('GET /portal', { as })).text).toContain('developer')
  })

  it('takes in a verified address that an invitation names', async () => {
    await inviteByLink(provider.person.email)
    expect((await travel()).status).toBe(303)
  })

  it('knows no address that the provider has not verified', async () => {
    await inviteByLink(provider.person.email)
    delete provider.person.email_verified
    expect((await travel()).status).toBe(403)
    provider.person.email_verified = false
    const invitation = await inviteByLink()
    expect((await travel({ query: { invitation } })).status).toBe(403)
  })

  it('refuses who is not invited, or of another domain', async () => {
    expect((await travel()).status).toBe(403)
    provider.person.email = 'somebody@elsewhere.example'
    const invitation = await inviteByLink()
    expect((await travel({ query: { invitation } })).status).toBe(403)
  })

  it('opens no account that somebody else made with the address', async () => {
    const { email } = await portal.addMember('viewer', { email: provider.person.email! })
    await inviteByLink(email)
    const answer = await travel()
    expect(answer).toMatchObject({ status: 403, sessionToken: undefined })
    expect(answer.text).toContain('Sign in with your password first')
  })

  it('can be connected by who is signed in', async () => {
    const member = await portal.addMember('owner')
    const connected = await travel({ query: { connect: 'yes' }, as: member })
    expect(connected.location).toBe('/portal/account?done=connected')
    const as = { sessionToken: (await travel()).sessionToken! }
    expect((await portal.visit('GET /portal/account', { as })).text).toContain(member.email)
  })

  it('ends for who is removed', async () => {
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

  it('refuses an answer that the browser did not ask for', async () => {
    const invitation = await inviteByLink()
    const query = { invitation }
    expect((await travel({ query, forgets: true })).status).toBe(400)
    const alter = (url: URL) => url.searchParams.set('state', 'another')
    expect((await travel({ query, alter })).status).toBe(401)
  })

  it.each([
    ['another nonce', { nonce: 'another' }],
    ['another audience', { aud: 'another-client' }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['a time that is over', { exp: 1_000 }],
  ])('refuses a token with %s', async (_what, claims) => {
    provider.spoil = ({ payload }) => void Object.assign(payload, claims)
    const answer = await travel({ query: { invitation: await inviteByLink() } })
    expect(answer).toMatchObject({ status: 401, sessionToken: undefined })
  })
})

describe('without an identity provider', () => {
  it('there is no single sign-on', async () => {
    const plain = await startPortal()
    try {
      expect((await plain.visit('GET /portal/sign-in/sso')).status).toBe(404)
      expect((await plain.visit('GET /portal/sign-in')).text).not.toContain('sso')
    } finally {
      await plain.close()
    }
  })

  it('the portal says so when it does not answer', async () => {
    const env = { OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'portal' }
    const lonely = await startPortal({ env })
    try {
      expect((await lonely.visit('GET /portal/sign-in/sso')).status).toBe(503)
    } finally {
      await lonely.close()
    }
  })
})
