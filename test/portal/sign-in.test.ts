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
    form: { email, password },
    headers: { Origin: portal.baseUrl, ...headers },
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
    expect(plain.headers.get('set-cookie')).toMatch(
      /^portal=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    const secure = await signIn(email, password, { 'X-Forwarded-Proto': 'https' })
    expect(secure.headers.get('set-cookie')).toMatch(
      /^__Host-portal=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
  })

  it('says how long to wait after ten wrong passwords from any addresses', async () => {
    const { email, password } = await portal.addMember('viewer')
    for (let attempt = 0; attempt < 10; attempt++) {
      expect((await signIn(email, `wrong password ${attempt}`)).status).toBe(401)
    }
    now += 5 * MINUTE
    const refused = await signIn(email, password)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('600')
    expect(refused.text).toContain('Wait 10 minutes')
    now += 10 * MINUTE
    expect((await signIn(email, password)).status).toBe(303)
  })

  it('checks the password of at most ten parallel attempts', async () => {
    const { email } = await portal.addMember('viewer')
    const answers = await Promise.all(
      Array.from({ length: 14 }, () => signIn(email, 'a wrong password', newClient())),
    )
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      ...Array.from({ length: 10 }, () => 401),
      ...Array.from({ length: 4 }, () => 429),
    ])
  })

  it('refuses an IP address that tries many accounts', async () => {
    const client = newClient()
    const { context } = portal
    // Fifty failed attempts from the address, each at another account.
    for (let attempt = 0; attempt < 50; attempt++) {
      await signInByPassword(context, {
        email: `somebody-${attempt}@example.com`,
        // Too long to be hashed, which keeps the test fast.
        password: 'x'.repeat(300),
        address: client['X-Forwarded-For'],
        device: '',
        now,
      })
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
