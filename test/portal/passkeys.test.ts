import { createPasswordReset } from '../../src/accounts/password-reset.js'
import { listAudit } from '../../src/organizations/audit-log.js'
import { MINUTE, NOON } from '../organizations/_storage.js'
import { createAuthenticator } from './_authenticator.js'
import { startPortal, type Member, type PageAnswer, type Portal } from './_portal.js'

let portal: Portal
let now = NOON
/** Browsers allow passkeys without HTTPS under this name. */
let site: { origin: string; rpId: string }
beforeAll(async () => {
  portal = await startPortal({ clock: () => now })
  site = { origin: portal.baseUrl.replace('127.0.0.1', 'localhost'), rpId: 'localhost' }
})
afterAll(() => portal.close())
beforeEach(() => {
  now += MINUTE
})

type Authenticator = ReturnType<typeof createAuthenticator>

interface Sent {
  as?: Member
  form?: Record<string, string>
  cookie?: string | undefined
}

function post(path: `/portal/${string}`, { as, form = {}, cookie }: Sent) {
  const cookies = [...(as ? [`portal=${as.sessionToken}`] : []), ...(cookie ? [cookie] : [])]
  const headers = { Cookie: cookies.join('; ') }
  return portal.visit(`POST ${path}`, { as, form, headers, at: site.origin })
}

interface Issued {
  challenge: string
  cookie: string
}

/** The challenge of an answer, and the cookie that it is bound to. */
function readChallenge({ text, headers }: PageAnswer): Issued {
  const { options } = JSON.parse(text) as { options: { challenge: string } }
  const cookie = /portal-passkey=[^;]+/.exec(headers.get('set-cookie') ?? '')![0]
  return { challenge: options.challenge, cookie }
}

async function beginAdding(as: Member): Promise<Issued> {
  const form = { password: as.password }
  return readChallenge(await post('/portal/account/passkeys/options', { as, form }))
}

async function add(as: Member, authenticator: Authenticator): Promise<PageAnswer> {
  const { challenge, cookie } = await beginAdding(as)
  const form = { response: authenticator.register(challenge) }
  return post('/portal/account/passkeys', { as, form, cookie })
}

const beginSignIn = async () => readChallenge(await post('/portal/sign-in/passkey/options', {}))

async function signIn(authenticator: Authenticator, issued?: Issued): Promise<PageAnswer> {
  const { challenge, cookie } = issued ?? (await beginSignIn())
  now += 1
  const form = { response: authenticator.authenticate(challenge), next: '/portal/keys' }
  return post('/portal/sign-in/passkey', { form, cookie })
}

describe('a passkey', () => {
  it('is added with the password, and signs in from then on', async () => {
    const member = await portal.addMember('owner')
    const authenticator = createAuthenticator(site)
    const added = await add(member, authenticator)
    expect(JSON.parse(added.text)).toEqual({ location: '/portal/account?done=passkey-added' })
    const answer = await signIn(authenticator)
    expect(JSON.parse(answer.text)).toEqual({ location: '/portal/keys' })
    const as = { sessionToken: answer.sessionToken! }
    expect((await portal.visit('GET /portal/account', { as })).text).toContain(member.email)
    const [entry] = await listAudit(portal.context.db, { subject: member.accountId, limit: 1 })
    expect(entry?.action).toBe('account.passkey_added')
  })

  it('is not added without the password', async () => {
    const as = await portal.addMember('owner')
    const form = { password: 'not the password' }
    const answer = await post('/portal/account/passkeys/options', { as, form })
    expect(JSON.parse(answer.text)).toEqual({ problem: 'The password is wrong.' })
    expect(answer.headers.get('set-cookie')).not.toMatch(/portal-passkey=\w/)
  })

  it('is not added to another account than the one that asked', async () => {
    const authenticator = createAuthenticator(site)
    const { challenge, cookie } = await beginAdding(await portal.addMember('owner'))
    const as = await portal.addMember('owner')
    const form = { response: authenticator.register(challenge) }
    const answer = await post('/portal/account/passkeys', { as, form, cookie })
    expect(answer.text).toContain('could not be added')
    expect((await signIn(authenticator)).sessionToken).toBeUndefined()
  })

  it('signs in once for each challenge', async () => {
    const authenticator = createAuthenticator(site)
    await add(await portal.addMember('viewer'), authenticator)
    const issued = await beginSignIn()
    expect((await signIn(authenticator, issued)).sessionToken).toBeDefined()
    expect((await signIn(authenticator, issued)).sessionToken).toBeUndefined()
    expect((await signIn(authenticator)).sessionToken).toBeDefined()
  })

  it('does not sign in after five minutes, without the cookie, or for another site', async () => {
    const authenticator = createAuthenticator(site)
    await add(await portal.addMember('viewer'), authenticator)
    const late = await beginSignIn()
    now += 5 * MINUTE
    expect((await signIn(authenticator, late)).sessionToken).toBeUndefined()
    const stolen = { ...(await beginSignIn()), cookie: '' }
    expect((await signIn(authenticator, stolen)).sessionToken).toBeUndefined()
    const elsewhere = createAuthenticator({ origin: 'https://evil.example', rpId: 'evil.example' })
    const added = await add(await portal.addMember('viewer'), elsewhere)
    expect(added.text).toContain('could not be added')
  })

  it.each(['{}', 'no JSON', '{"id":"x","response":{}}', 'null'])(
    'is refused with the answer %s',
    async (response) => {
      const { cookie } = await beginSignIn()
      const answer = await post('/portal/sign-in/passkey', { form: { response }, cookie })
      expect(answer.status).toBe(200)
      expect(answer.text).toContain('does not open an account')
    },
  )

  it.each([
    [
      'its owner',
      async (member: Member, id: string) => {
        await portal.visit(`POST /portal/account/passkeys/${id}/remove`, { as: member })
      },
    ],
    [
      'a password reset',
      async ({ accountId }: Member) => {
        const act = { actor: 'cli:tester', now }
        const { token } = await createPasswordReset(portal.context, accountId, act)
        const form = { token, password: 'green stapler on mars' }
        await portal.visit('POST /portal/reset/password', { form })
      },
    ],
  ])('is removed by %s, and by nobody else', async (_who, remove) => {
    const member = await portal.addMember('viewer')
    const authenticator = createAuthenticator(site)
    await add(member, authenticator)
    const { id } = await portal.context.db
      .selectFrom('account_passkeys')
      .select('id')
      .where('account_id', '=', member.accountId)
      .executeTakeFirstOrThrow()
    const as = await portal.addMember('owner')
    const foreign = await portal.visit(`POST /portal/account/passkeys/${id}/remove`, { as })
    expect(foreign.status).toBe(404)
    expect((await signIn(authenticator)).sessionToken).toBeDefined()
    await remove(member, id)
    expect((await signIn(authenticator)).sessionToken).toBeUndefined()
  })

  it('is not offered where browsers allow none', async () => {
    expect((await portal.visit('POST /portal/sign-in/passkey/options')).status).toBe(404)
    expect((await portal.visit('GET /portal/sign-in')).text).not.toContain('passkey"')
  })
})
