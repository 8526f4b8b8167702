import { createPasswordReset } from '../../src/accounts/password-reset.js'
import { signInByPassword } from '../../src/accounts/sign-in.js'
import type { Log } from '../../src/telemetry/log.js'
import { MINUTE, NOON } from '../organizations/_storage.js'
import { startPortal, type Portal } from './_portal.js'

let portal: Portal
let now = NOON
const logged: unknown[] = []

beforeAll(async () => {
  const note = (...line: unknown[]) => void logged.push(line)
  const log: Log = { debug: note, info: note, warn: note, error: note }
  portal = await startPortal({ clock: () => now, log, env: { TRUST_PROXY: 'loopback' } })
})
afterAll(() => portal.close())
beforeEach(() => {
  now += 60 * MINUTE
})

/** A client with its own IP address, as a trusted proxy reports it. */
let clients = 0
const newClient = () => ({ 'X-Forwarded-For': `203.0.113.${++clients}` })

function signIn(email: string, password: string, headers: Record<string, string> = newClient()) {
  return portal.visit('POST /portal/sign-in', {
    form: { name: email, password },
    headers: { Origin: portal.baseUrl, ...headers },
  })
}

/** A failed attempt with a password that is too long to be hashed, which keeps the test fast. */
function guess(signInName: string, client: Record<string, string>, browserToken?: string) {
  return signInByPassword(portal.context, {
    signInName,
    password: 'x'.repeat(300),
    address: client['X-Forwarded-For']!,
    browserToken,
    device: '',
    now,
  })
}

describe('signing in by password', () => {
  it('starts a session that opens the portal', async () => {
    const { email, password } = await portal.addMember('viewer')
    const answer = await signIn(email.toUpperCase(), password)
    expect(answer).toMatchObject({ status: 303, location: '/portal' })
    const as = { sessionToken: answer.sessionToken! }
    expect((await portal.visit('GET /portal', { as })).status).toBe(200)
  })

  it('gives the same answer for an unknown address and a wrong password', async () => {
    const { email } = await portal.addMember('viewer')
    const wrong = await signIn(email, 'not the right password')
    const unknown = await signIn('nobody@example.com', 'not the right password')
    expect([wrong.status, unknown.status]).toEqual([401, 401])
    expect(wrong.text.replaceAll(email, 'X')).toBe(
      unknown.text.replaceAll('nobody@example.com', 'X'),
    )
  })

  it('sets a plain cookie over HTTP, and a secure one bound to the host over HTTPS', async () => {
    const { email, password } = await portal.addMember('viewer')
    const plain = await signIn(email, password)
    expect(plain.headers.getSetCookie()[0]).toMatch(
      /^portal=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    const secure = await signIn(email, password, { 'X-Forwarded-Proto': 'https' })
    expect(secure.headers.getSetCookie()[0]).toMatch(
      /^__Host-portal=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
  })

  it('says how long to wait after ten wrong passwords from a network', async () => {
    const { email, password } = await portal.addMember('viewer')
    const client = newClient()
    for (let attempt = 0; attempt < 10; attempt++) {
      expect((await signIn(email, `wrong password ${attempt}`, client)).status).toBe(401)
    }
    now += 5 * MINUTE
    const refused = await signIn(email, password, client)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('600')
    expect(refused.text).toContain('Wait 10 minutes')
    now += 10 * MINUTE
    expect((await signIn(email, password, client)).status).toBe(303)
  })

  it('lets the owner in while a stranger tries wrong passwords', async () => {
    const { email, password } = await portal.addMember('viewer')
    const stranger = newClient()
    for (let attempt = 0; attempt < 12; attempt++) {
      await signIn(email, `wrong password ${attempt}`, stranger)
    }
    expect((await signIn(email, password, newClient())).status).toBe(303)
  })

  it('lets a browser that signed in before in while many strangers try wrong passwords', async () => {
    const { email, password } = await portal.addMember('viewer')
    const { browserToken } = await signIn(email, password)
    for (let attempt = 0; attempt < 100; attempt++) await guess(email, newClient())
    expect((await signIn(email, password, newClient())).status).toBe(429)
    const known = { ...newClient(), Cookie: `portal-browser=${browserToken}` }
    expect((await signIn(email, password, known)).status).toBe(303)
  })

  it('does not recognise a browser for another account, or after the password was reset', async () => {
    const member = await portal.addMember('viewer')
    const { browserToken } = await signIn(member.email, member.password)
    const cookie = () => ({ ...newClient(), Cookie: `portal-browser=${browserToken}` })
    const other = await portal.addMember('viewer')
    for (let attempt = 0; attempt < 100; attempt++) await guess(other.email, newClient())
    expect((await signIn(other.email, other.password, cookie())).status).toBe(429)
    const act = { actor: 'cli:tester', now }
    const { token } = await createPasswordReset(portal.context, member.accountId, act)
    const password = 'green stapler on mars'
    await portal.visit('POST /portal/reset/password', { form: { token, password } })
    for (let attempt = 0; attempt < 100; attempt++) await guess(member.email, newClient())
    expect((await signIn(member.email, password, cookie())).status).toBe(429)
  })

  it('limits the guesses in a browser that signed in before', async () => {
    const { email, password } = await portal.addMember('viewer')
    const { browserToken } = await signIn(email, password)
    const known = () => ({ ...newClient(), Cookie: `portal-browser=${browserToken}` })
    for (let attempt = 0; attempt < 10; attempt++) await guess(email, known(), browserToken)
    expect((await signIn(email, password, known())).status).toBe(429)
    expect((await signIn(email, password)).status).toBe(303)
  })

  it('checks the password of at most ten parallel attempts from a network', async () => {
    const { email } = await portal.addMember('viewer')
    const client = newClient()
    const answers = await Promise.all(
      Array.from({ length: 14 }, () => signIn(email, 'a wrong password', client)),
    )
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      ...Array.from({ length: 10 }, () => 401),
      ...Array.from({ length: 4 }, () => 429),
    ])
  })

  it('treats the addresses of an IPv6 network as one', async () => {
    const { email, password } = await portal.addMember('viewer')
    const client = (host: number) => ({ 'X-Forwarded-For': `2001:db8:1:2::${host}` })
    for (let attempt = 1; attempt <= 10; attempt++) await guess(email, client(attempt))
    expect((await signIn(email, password, client(99))).status).toBe(429)
    expect((await signIn(email, password)).status).toBe(303)
  })

  it('refuses an IP address that tries many accounts', async () => {
    const client = newClient()
    // Fifty failed attempts from the address, each at another account.
    for (let attempt = 0; attempt < 50; attempt++) {
      await guess(`somebody-${attempt}@example.com`, client)
    }
    const { email, password } = await portal.addMember('viewer')
    expect((await signIn(email, password, client)).status).toBe(429)
    expect((await signIn(email, password)).status).toBe(303)
  })

  it('logs no address, password or token', async () => {
    const member = await portal.addMember('owner')
    const { sessionToken } = await signIn(member.email, member.password)
    await signIn(member.email, 'wrong password with a marker')
    await portal.visit('GET /portal/invitation/a-token-with-a-marker')
    const lines = JSON.stringify(logged)
    expect(lines).toContain('/portal/sign-in')
    for (const secret of [member.email, member.password, sessionToken!, 'marker', '@example.com']) {
      expect(lines).not.toContain(secret)
    }
  })
})
