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

async function invite(invitation: Partial<NewInvitation> = {}) {
  const { organizationId } = portal
  const wanted = { organizationId, role: 'developer', ...invitation } as const
  return createInvitation(portal.context, wanted, act())
}

function accept(token: string, form: Record<string, string>) {
  return portal.visit(`POST /portal/invitation/${token}`, { form })
}

describe('an invitation', () => {
  it('makes a new person a member with its role', async () => {
    const { token } = await invite()
    expect((await portal.visit(`GET /portal/invitation/${token}`)).text).toContain(
      'Join First organisation',
    )
    const answer = await accept(token, { email: newcomer(), password: PASSWORD })
    expect(answer).toMatchObject({ status: 303, location: '/portal' })
    const as = { sessionToken: answer.sessionToken! }
    expect((await portal.visit('GET /portal', { as })).text).toContain('developer')
    expect((await portal.visit('GET /portal/members', { as })).status).toBe(403)
  })

  it('works once, even for simultaneous requests', async () => {
    const { token } = await invite()
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => accept(token, { email: newcomer(), password: PASSWORD })),
    )
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      303, 404, 404, 404, 404,
    ])
    expect((await portal.visit(`GET /portal/invitation/${token}`)).status).toBe(404)
  })

  it('ends after 72 hours', async () => {
    const { token } = await invite()
    now += 72 * HOUR
    expect((await accept(token, { email: newcomer(), password: PASSWORD })).status).toBe(404)
  })

  it('works only for the address that it names', async () => {
    const email = newcomer()
    const { token } = await invite({ email })
    await accept(token, { email: 'somebody.else@example.com', password: PASSWORD })
    const accounts = await portal.context.db.selectFrom('accounts').select('email').execute()
    expect(accounts).toContainEqual({ email })
    expect(accounts).not.toContainEqual({ email: 'somebody.else@example.com' })
  })

  it('adds the organisation to an existing account, given its password', async () => {
    const member = await portal.addMember('viewer')
    const organizationId = await portal.createOrganization()
    const { token } = await invite({ organizationId, role: 'owner' })
    const wrong = await accept(token, { email: member.email, password: PASSWORD })
    expect(wrong).toMatchObject({ status: 401, sessionToken: undefined })
    const right = await accept(token, { email: member.email, password: member.password })
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
    const target = `POST /portal/invitation/${token}/join` as const
    const answer = await portal.visit(target, { as: member })
    const as = { sessionToken: answer.sessionToken! }
    expect((await portal.visit('GET /portal', { as })).text).toContain('Second home')
  })

  it('keeps the role of an existing member, and records no joining', async () => {
    const member = await portal.addMember('viewer')
    const { token } = await invite({ role: 'owner' })
    const target = `POST /portal/invitation/${token}/join` as const
    const answer = await portal.visit(target, { as: member })
    const as = { sessionToken: answer.sessionToken! }
    expect((await portal.visit('GET /portal/members', { as })).status).toBe(403)
    const entries = await listAudit(portal.context.db, { limit: 1_000 })
    const joined = entries.filter(({ action }) => action === 'member.joined')
    expect(joined.map(({ subject }) => subject)).not.toContain(member.accountId)
  })

  it('refuses a guessable password and stays open', async () => {
    const { token } = await invite()
    const email = newcomer()
    expect((await accept(token, { email, password: 'password1234' })).status).toBe(400)
    expect((await accept(token, { email, password: PASSWORD })).status).toBe(303)
  })

  it('is created, shown once and withdrawn by an owner', async () => {
    const owner = await portal.addMember('owner')
    const made = await portal.visit('POST /portal/members/invitations', {
      as: owner,
      form: { role: 'viewer', email: 'invited@example.com' },
    })
    const link = /http:[^<"]+\/portal\/invitation\/[\w-]{43}/.exec(made.text)![0]
    const path = new URL(link).pathname
    expect((await portal.visit(`GET ${path}` as 'GET /')).status).toBe(200)
    const { text } = await portal.visit('GET /portal/members', { as: owner })
    expect(text).toContain('invited@example.com')
    expect(text).not.toContain(path)
    const withdraw = /\/portal\/members\/invitations\/inv_\w+\/withdraw/.exec(text)![0]
    expect((await portal.visit(`POST ${withdraw}` as 'POST /', { as: owner })).status).toBe(303)
    expect((await portal.visit(`GET ${path}` as 'GET /')).status).toBe(404)
  })

  it('is recorded in the audit log without e-mail addresses', async () => {
    const { token } = await invite({ email: newcomer() })
    await accept(token, { email: newcomer(), password: PASSWORD })
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
  it('works once, and ends earlier sessions', async () => {
    const member = await portal.addMember('viewer')
    const { token } = await createPasswordReset(portal.context, member.accountId, act())
    const target = `POST /portal/reset/${token}` as const
    const answer = await portal.visit(target, { form: { password: PASSWORD } })
    expect(answer.status).toBe(303)
    expect((await portal.visit('GET /portal', { as: member })).status).toBe(303)
    const as = { sessionToken: answer.sessionToken! }
    expect((await portal.visit('GET /portal', { as })).status).toBe(200)
    expect((await portal.visit(target, { form: { password: PASSWORD } })).status).toBe(404)
  })

  it('expires after a day, or when there is a newer one', async () => {
    const { accountId } = await portal.addMember('viewer')
    const older = await createPasswordReset(portal.context, accountId, act())
    const newer = await createPasswordReset(portal.context, accountId, act())
    expect((await portal.visit(`GET /portal/reset/${older.token}`)).status).toBe(404)
    expect((await portal.visit(`GET /portal/reset/${newer.token}`)).status).toBe(200)
    now += DAY
    expect((await portal.visit(`GET /portal/reset/${newer.token}`)).status).toBe(404)
  })
})
