import { HOUR, MINUTE, NOON } from '../organizations/_storage.js'
import { SESSION_IDLE_MS, SESSION_LIFETIME_MS } from '../../src/accounts/session.js'
import { sweepAccess } from '../../src/accounts/sweep-access.js'
import { startPortal, type Member, type Portal } from './_portal.js'

let portal: Portal
let now = NOON

beforeAll(async () => {
  portal = await startPortal({ clock: () => now })
})
afterAll(() => portal.close())

type Signed = Pick<Member, 'sessionToken'>

const isIn = async (as: Signed) =>
  (await portal.visit('GET /portal/account', { as })).status === 200

async function signInAgain({ email, password }: Member): Promise<Signed> {
  const answer = await portal.visit('POST /portal/sign-in', { form: { email, password } })
  return { sessionToken: answer.sessionToken! }
}

describe('a session', () => {
  it('ends when it is not used for two hours', async () => {
    const member = await portal.addMember('viewer')
    now += SESSION_IDLE_MS - MINUTE
    expect(await isIn(member)).toBe(true)
    now += SESSION_IDLE_MS - MINUTE
    expect(await isIn(member)).toBe(true)
    now += SESSION_IDLE_MS
    expect(await isIn(member)).toBe(false)
  })

  it('ends after twelve hours, however much it is used', async () => {
    const member = await portal.addMember('viewer')
    const startedAt = now
    while (now + HOUR - startedAt < SESSION_LIFETIME_MS) {
      now += HOUR
      expect(await isIn(member)).toBe(true)
    }
    now += HOUR
    expect(await isIn(member)).toBe(false)
  })

  it('is swept when its time is over', async () => {
    await portal.addMember('viewer')
    now += SESSION_IDLE_MS
    await sweepAccess(portal.context.db, now)
    expect(await portal.context.db.selectFrom('portal_sessions').selectAll().execute()).toEqual([])
  })

  it('ends at sign-out, and only that one', async () => {
    const member = await portal.addMember('viewer')
    const other = await signInAgain(member)
    const answer = await portal.visit('POST /portal/sign-out', { as: member })
    expect(answer.sessionToken).toBe('')
    expect(await isIn(member)).toBe(false)
    expect(await isIn(other)).toBe(true)
  })

  it('ends everywhere when its owner says so', async () => {
    const member = await portal.addMember('viewer')
    const other = await signInAgain(member)
    await portal.visit('POST /portal/account/sign-out-everywhere', { as: member })
    expect([await isIn(member), await isIn(other)]).toEqual([false, false])
  })

  it('begins anew under another token, and ends the others, when the password changes', async () => {
    const member = await portal.addMember('viewer')
    const other = await signInAgain(member)
    const answer = await portal.visit('POST /portal/account/password', {
      as: member,
      form: { current: member.password, password: 'green stapler on mars' },
    })
    const changed = { sessionToken: answer.sessionToken! }
    expect([await isIn(member), await isIn(other), await isIn(changed)]).toEqual([
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
    expect(await isIn(await signInAgain(member))).toBe(true)
  })

  it('ends when an owner changes the role, or takes the member out', async () => {
    const owner = await portal.addMember('owner')
    for (const change of ['role', 'remove']) {
      const member = await portal.addMember('viewer')
      const other = await signInAgain(member)
      const target = `POST /portal/members/${member.accountId}/${change}` as const
      expect((await portal.visit(target, { as: owner, form: { role: 'developer' } })).status).toBe(
        303,
      )
      expect([await isIn(member), await isIn(other)]).toEqual([false, false])
    }
  })

  it('is not in the database in the clear', async () => {
    const { sessionToken } = await portal.addMember('viewer')
    const rows = await portal.context.db.selectFrom('portal_sessions').selectAll().execute()
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.some(({ token_hash }) => token_hash.toString('base64url') === sessionToken)).toBe(
      false,
    )
  })
})

describe('a form', () => {
  const target = 'POST /portal/account/sign-out-everywhere'
  const send = async (headers: Record<string, string>, form: Record<string, string> = {}) => {
    const as = await portal.addMember('viewer')
    const { status } = await portal.visit(target, { as, headers, form })
    return { status, isIn: await isIn(as) }
  }
  const refused = { status: 403, isIn: true }

  it('is taken from a page of the portal', async () => {
    expect(await send({})).toEqual({ status: 303, isIn: false })
    expect(await send({ 'Sec-Fetch-Site': 'same-origin', Origin: 'null' })).toMatchObject({
      status: 303,
    })
  })

  it.each([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['another host of the domain', { 'Sec-Fetch-Site': 'same-site' }],
    ['another origin', { Origin: 'https://evil.example' }],
    ['a hidden origin', { Origin: 'null' }],
  ])('is refused from %s, even with the token', async (_where, headers) => {
    expect(await send(headers)).toEqual(refused)
  })

  it('is refused without its token, and with that of another session', async () => {
    expect(await send({}, { form_token: '' })).toEqual(refused)
    const { text } = await portal.visit('GET /portal/account', {
      as: await portal.addMember('viewer'),
    })
    const foreign = /name="form_token" value="([^"]+)"/.exec(text)![1]!
    expect(await send({}, { form_token: foreign })).toEqual(refused)
  })

  it('for signing in is refused from elsewhere too', async () => {
    const { email, password } = await portal.addMember('viewer')
    const answer = await portal.visit('POST /portal/sign-in', {
      form: { email, password },
      headers: { Origin: 'https://evil.example' },
    })
    expect(answer).toMatchObject({ status: 403, sessionToken: undefined })
  })

  it('is refused when it is larger than any of ours', async () => {
    const as = await portal.addMember('viewer')
    const answer = await portal.visit(target, { as, form: { filler: 'x'.repeat(70_000) } })
    expect(answer.status).toBe(413)
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
  })
})
