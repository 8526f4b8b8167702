import { HOUR, MINUTE, NOON } from '../organizations/_storage.js'
import { SESSION_IDLE_MS, SESSION_LIFETIME_MS } from '../../src/accounts/session.js'
import { sweepAccess } from '../../src/accounts/sweep-expired-access.js'
import { startPortal, type Member, type Portal } from './_portal.js'

let portal: Portal
let now = NOON

beforeAll(async () => {
  portal = await startPortal({ clock: () => now })
})
afterAll(() => portal.close())

type SignedIn = Pick<Member, 'sessionToken'>

const isSignedIn = async (as: SignedIn) =>
  (await portal.visit('GET /portal/account', { as })).status === 200

async function signInAgain({ email, password }: Member): Promise<SignedIn> {
  const answer = await portal.visit('POST /portal/sign-in', { form: { name: email, password } })
  return { sessionToken: answer.sessionToken! }
}

describe('a session', () => {
  it('ends after two hours without use', async () => {
    const member = await portal.addMember('viewer')
    now += SESSION_IDLE_MS - MINUTE
    expect(await isSignedIn(member)).toBe(true)
    now += SESSION_IDLE_MS - MINUTE
    expect(await isSignedIn(member)).toBe(true)
    now += SESSION_IDLE_MS
    expect(await isSignedIn(member)).toBe(false)
  })

  it('ends after twelve hours, however much it is used', async () => {
    const member = await portal.addMember('viewer')
    const startedAt = now
    while (now + HOUR - startedAt < SESSION_LIFETIME_MS) {
      now += HOUR
      expect(await isSignedIn(member)).toBe(true)
    }
    now += HOUR
    expect(await isSignedIn(member)).toBe(false)
  })

  it('is deleted after it expired', async () => {
    await portal.addMember('viewer')
    now += SESSION_IDLE_MS
    await sweepAccess(portal.context.db, now)
    expect(await portal.context.db.selectFrom('portal_sessions').selectAll().execute()).toEqual([])
  })

  it('ends at sign-out, while other sessions continue', async () => {
    const member = await portal.addMember('viewer')
    const other = await signInAgain(member)
    const answer = await portal.visit('POST /portal/sign-out', { as: member })
    expect(answer.sessionToken).toBe('')
    expect(await isSignedIn(member)).toBe(false)
    expect(await isSignedIn(other)).toBe(true)
  })

  it('ends with all others when the member signs out everywhere', async () => {
    const member = await portal.addMember('viewer')
    const other = await signInAgain(member)
    await portal.visit('POST /portal/account/sign-out-everywhere', { as: member })
    expect([await isSignedIn(member), await isSignedIn(other)]).toEqual([false, false])
  })

  it('is replaced, and all others end, when the password changes', async () => {
    const member = await portal.addMember('viewer')
    const other = await signInAgain(member)
    const answer = await portal.visit('POST /portal/account/password', {
      as: member,
      form: { current: member.password, password: 'green stapler on mars' },
    })
    const changed = { sessionToken: answer.sessionToken! }
    expect([await isSignedIn(member), await isSignedIn(other), await isSignedIn(changed)]).toEqual([
      false,
      false,
      true,
    ])
  })

  it('keeps the password when the current one is wrong', async () => {
    const member = await portal.addMember('viewer')
    const answer = await portal.visit('POST /portal/account/password', {
      as: member,
      form: { current: 'not the password', password: 'green stapler on mars' },
    })
    expect(answer.status).toBe(400)
    expect(await isSignedIn(await signInAgain(member))).toBe(true)
  })

  it('ends when an owner changes the role or removes the member', async () => {
    const owner = await portal.addMember('owner')
    for (const change of ['role', 'remove']) {
      const member = await portal.addMember('viewer')
      const other = await signInAgain(member)
      const target = `POST /portal/members/${member.accountId}/${change}` as const
      expect((await portal.visit(target, { as: owner, form: { role: 'developer' } })).status).toBe(
        303,
      )
      expect([await isSignedIn(member), await isSignedIn(other)]).toEqual([false, false])
    }
  })

  it('is stored only as a hash of its token', async () => {
    const { sessionToken } = await portal.addMember('viewer')
    const rows = await portal.context.db.selectFrom('portal_sessions').selectAll().execute()
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.some(({ token_hash }) => token_hash.toString('base64url') === sessionToken)).toBe(
      false,
    )
  })
})
