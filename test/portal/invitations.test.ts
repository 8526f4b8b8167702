import { DAY, HOUR, NOON } from '../organizations/_storage.js'
import { createInvitation, type NewInvitation } from '../../src/accounts/invitation.js'
import { createPasswordReset } from '../../src/accounts/password-reset.js'
import { listAudit } from '../../src/organizations/audit-log.js'
import { startPortal, type Portal } from './_portal.js'

const PASSWORD = 'green stapler on mars'

let portal: Portal
let now = NOON
let newcomers = 0

beforeAll(async () => {
  portal = await startPortal({ clock: () => now })
})
afterAll(() => portal.close())

const act = () => ({ actor: 'cli:tester', now })
const newcomer = () => `newcomer-${++newcomers}@example.com`
const newName = () => `newcomer-${++newcomers}`

async function invite(invitation: Partial<NewInvitation> = {}) {
  const { organizationId } = portal
  const wanted = { organizationId, role: 'developer', ...invitation } as const
  return createInvitation(portal.context, wanted, act())
}

type Way = 'new-account' | 'existing-account' | 'address'

function accept(token: string, way: Way, form: Record<string, string>) {
  return portal.visit(`POST /portal/invitation/${way}`, { form: { token, ...form } })
}

const show = (token: string) => portal.visit('POST /portal/invitation', { form: { token } })

describe('an invitation', () => {
  it('makes a new person a member with its role', async () => {
    const { token } = await invite()
    expect((await show(token)).text).toContain('Join First organisation')
    const answer = await accept(token, 'new-account', { name: newName(), password: PASSWORD })
    expect(answer).toMatchObject({ status: 303, location: '/portal/account?done=joined' })
    const as = { sessionToken: answer.sessionToken! }
    expect((await portal.visit('GET /portal', { as })).text).toContain('developer')
    expect((await portal.visit('GET /portal/members', { as })).status).toBe(403)
  })

  it('works once, even for simultaneous requests', async () => {
    const { token } = await invite()
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        accept(token, 'new-account', { name: newName(), password: PASSWORD }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      303, 404, 404, 404, 404,
    ])
    expect((await show(token)).status).toBe(404)
  })

  it('ends after 72 hours', async () => {
    const { token } = await invite()
    now += 72 * HOUR
    expect(
      (await accept(token, 'new-account', { name: newName(), password: PASSWORD })).status,
    ).toBe(404)
  })

  it('works only for the address that it names', async () => {
    const email = newcomer()
    const { token } = await invite({ email })
    const other = 'somebody.else@example.com'
    await accept(token, 'address', { name: other, password: PASSWORD })
    const accounts = await portal.context.db
      .selectFrom('accounts')
      .select(['sign_in_name', 'email'])
      .execute()
    expect(accounts).toContainEqual({ sign_in_name: email, email })
    expect(accounts).not.toContainEqual({ sign_in_name: other, email: other })
  })

  it('adds the organisation to an existing account, given its password', async () => {
    const member = await portal.addMember('viewer')
    const organizationId = await portal.createOrganization()
    const { token } = await invite({ organizationId, role: 'owner' })
    const name = member.email
    const wrong = await accept(token, 'existing-account', { name, password: PASSWORD })
    expect(wrong).toMatchObject({ status: 401, sessionToken: undefined })
    const right = await accept(token, 'existing-account', { name, password: member.password })
    expect(right.status).toBe(303)
    const as = { sessionToken: right.sessionToken! }
    expect((await portal.visit('GET /portal/members', { as })).status).toBe(200)
    const back = await portal.visit('POST /portal/account/organization', {
      as,
      form: { organization: portal.organizationId },
    })
    const viewer = { sessionToken: back.sessionToken! }
    expect((await portal.visit('GET /portal/members', { as: viewer })).status).toBe(403)
  })

  it('can be accepted by a signed-in member', async () => {
    const member = await portal.addMember('viewer')
    const organizationId = await portal.createOrganization('Second home')
    const { token } = await invite({ organizationId })
    const answer = await portal.visit('POST /portal/invitation/join', {
      as: member,
      form: { token },
    })
    const as = { sessionToken: answer.sessionToken! }
    expect((await portal.visit('GET /portal', { as })).text).toContain('Second home')
  })

  it('keeps the role of an existing member, and records no joining', async () => {
    const member = await portal.addMember('viewer')
    const { token } = await invite({ role: 'owner' })
    const answer = await portal.visit('POST /portal/invitation/join', {
      as: member,
      form: { token },
    })
    const as = { sessionToken: answer.sessionToken! }
    expect((await portal.visit('GET /portal/members', { as })).status).toBe(403)
    const entries = await listAudit(portal.context.db, { limit: 1_000 })
    const joined = entries.filter(({ action }) => action === 'member.joined')
    expect(joined.map(({ subject }) => subject)).not.toContain(member.accountId)
  })

  it('refuses a guessable password and stays open', async () => {
    const { token } = await invite()
    const name = newName()
    const weak = await accept(token, 'new-account', { name, password: 'password1234' })
    expect(weak.status).toBe(400)
    const strong = await accept(token, 'new-account', { name, password: PASSWORD })
    expect(strong.status).toBe(303)
  })

  it('is created, shown once and withdrawn by an owner', async () => {
    const owner = await portal.addMember('owner')
    const made = await portal.visit('POST /portal/members/invitations', {
      as: owner,
      form: { role: 'viewer', email: 'invited@example.com' },
    })
    const [link, token = ''] = /http:[^<"]+\/portal\/invitation#([\w-]{43})/.exec(made.text)!
    expect((await show(token)).status).toBe(200)
    const { text } = await portal.visit('GET /portal/members', { as: owner })
    expect(text).toContain('invited@example.com')
    expect(text).not.toContain(link)
    const withdraw = /\/portal\/members\/invitations\/inv_\w+\/withdraw/.exec(text)![0]
    expect((await portal.visit(`POST ${withdraw}` as 'POST /', { as: owner })).status).toBe(303)
    expect((await show(token)).status).toBe(404)
  })

  it('without an address gives the same answers whether or not an account exists', async () => {
    const member = await portal.addMember('viewer')
    const answers = []
    for (const name of [member.email, 'nobody@example.com']) {
      const { token } = await invite()
      const tried = await accept(token, 'existing-account', { name, password: PASSWORD })
      const created = await accept(token, 'new-account', { name, password: PASSWORD })
      const text = tried.text.replaceAll(token, 'TOKEN').replaceAll(/-[0-9a-z]{6}\b/g, '')
      answers.push([tried.status, text.replaceAll(name, 'NAME'), created.status])
    }
    expect(answers[0]).toEqual(answers[1])
  })

  it('without an address creates an account under a name that is free, whoever has chosen it before', async () => {
    const names = []
    for (let person = 0; person < 2; person++) {
      const { token } = await invite()
      const answer = await accept(token, 'new-account', { name: 'Ada', password: PASSWORD })
      expect(answer).toMatchObject({ status: 303, location: '/portal/account?done=joined' })
      const as = { sessionToken: answer.sessionToken! }
      const { text } = await portal.visit('GET /portal/account?done=joined', { as })
      const name = /ada-[2-9a-z]{6}/.exec(text)![0]
      const signedIn = await portal.visit('POST /portal/sign-in', {
        form: { name, password: PASSWORD },
      })
      expect(signedIn.status).toBe(303)
      names.push(name)
    }
    expect(new Set(names).size).toBe(2)
  })

  it('without an address gives an account no address, whatever name is chosen', async () => {
    const { token } = await invite()
    const answer = await accept(token, 'new-account', {
      name: 'boss@victim.example',
      password: PASSWORD,
    })
    expect(answer.status).toBe(400)
    const named = await accept(token, 'new-account', { name: 'boss', password: PASSWORD })
    expect(named.status).toBe(303)
    const { email } = await portal.context.db
      .selectFrom('accounts')
      .select('email')
      .where('sign_in_name', 'like', 'boss-%')
      .executeTakeFirstOrThrow()
    expect(email).toBeNull()
  })

  it('has its secret in the fragment of the link, and links of earlier versions lead there', async () => {
    const { token } = await invite()
    const old = await portal.visit(`GET /portal/invitation/${token}`)
    expect(old).toMatchObject({ status: 303, location: `/portal/invitation#${token}` })
    const opened = await portal.visit('GET /portal/invitation')
    expect(opened.text).toContain('paste the part of the link after the # sign')
    expect((await show(token)).text).toContain('Join First organisation')
    const reset = await portal.visit(`GET /portal/reset/${token}`)
    expect(reset).toMatchObject({ status: 303, location: `/portal/reset#${token}` })
  })

  it('is recorded in the audit log without e-mail addresses', async () => {
    const { token } = await invite({ email: newcomer() })
    await accept(token, 'new-account', { name: newName(), password: PASSWORD })
    const entries = await listAudit(portal.context.db, { limit: 1_000 })
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['member.invited', 'member.joined']),
    )
    expect(JSON.stringify(entries)).not.toContain('@')
  })
})

describe('an organisation', () => {
  it('keeps its last owner', async () => {
    const organizationId = await portal.createOrganization()
    const owner = await portal.addMember('owner', { organizationId })
    const own = `/portal/members/${owner.accountId}` as const
    const demoted = await portal.visit(`POST ${own}/role`, { as: owner, form: { role: 'viewer' } })
    const removed = await portal.visit(`POST ${own}/remove`, { as: owner })
    expect([demoted.status, removed.status]).toEqual([409, 409])
    expect((await portal.visit('GET /portal/members', { as: owner })).status).toBe(200)
  })

  it('keeps no address of a removed member', async () => {
    const owner = await portal.addMember('owner')
    const { accountId } = await portal.addMember('viewer')
    await portal.visit(`POST /portal/members/${accountId}/remove`, { as: owner })
    const left = await portal.context.db
      .selectFrom('accounts')
      .select('id')
      .where('id', '=', accountId)
      .execute()
    expect(left).toEqual([])
  })
})

describe('a password reset link', () => {
  const showReset = (token: string) => portal.visit('POST /portal/reset', { form: { token } })

  it('works once, and ends earlier sessions', async () => {
    const member = await portal.addMember('viewer')
    const { token } = await createPasswordReset(portal.context, member.accountId, act())
    const form = { token, password: PASSWORD }
    const answer = await portal.visit('POST /portal/reset/password', { form })
    expect(answer.status).toBe(303)
    expect((await portal.visit('GET /portal', { as: member })).status).toBe(303)
    const as = { sessionToken: answer.sessionToken! }
    expect((await portal.visit('GET /portal', { as })).status).toBe(200)
    expect((await portal.visit('POST /portal/reset/password', { form })).status).toBe(404)
  })

  it('expires after a day, or when there is a newer one', async () => {
    const { accountId } = await portal.addMember('viewer')
    const older = await createPasswordReset(portal.context, accountId, act())
    const newer = await createPasswordReset(portal.context, accountId, act())
    expect((await showReset(older.token)).status).toBe(404)
    expect((await showReset(newer.token)).status).toBe(200)
    now += DAY
    expect((await showReset(newer.token)).status).toBe(404)
  })
})
