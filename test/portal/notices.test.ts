import { createInvitation } from '../../src/accounts/invitation.js'
import { createNoticeCounter } from '../../src/accounts/security-notices.js'
import { createKey } from '../../src/organizations/api-key.js'
import { CAPABILITIES } from '../../src/organizations/capability.js'
import { DAY, NOON } from '../organizations/_storage.js'
import { startPortal, type Member, type Portal } from './_portal.js'

let portal: Portal
let owner: Member
let now = NOON

beforeAll(async () => {
  portal = await startPortal({ clock: () => now })
})
afterAll(() => portal.close())
beforeEach(async () => {
  owner = await portal.addMember('owner', { organizationId: await portal.createOrganization() })
})

const act = () => ({ actor: 'cli:tester', now })
const overview = async (as: Pick<Member, 'sessionToken'>) =>
  (await portal.visit('GET /portal', { as })).text

async function issueKey(environment: 'live' | 'test') {
  const { organizationId } = owner
  const input = {
    organizationId,
    name: `A ${environment} key`,
    environment,
    capabilities: CAPABILITIES,
  }
  await createKey(portal.context, input, act())
}

async function addOwner() {
  const { organizationId } = owner
  const email = `new-${organizationId.slice(4, 12)}@example.com`
  const { token } = await createInvitation(
    portal.context,
    { organizationId, role: 'owner', email },
    act(),
  )
  const form = { token, password: 'green stapler on mars' }
  await portal.visit('POST /portal/invitation/address', { form })
  return email
}

describe('the overview', () => {
  it('shows owners new live keys and new owners of the last 30 days', async () => {
    await issueKey('live')
    await issueKey('test')
    const email = await addOwner()
    const text = await overview(owner)
    expect(text).toContain('Was this you?')
    expect(text).toContain('A live key')
    expect(text).toContain(email)
    expect(text).not.toContain('A test key')
    now += 31 * DAY
    const { sessionToken } = await portal.visit('POST /portal/sign-in', {
      form: { name: owner.email, password: owner.password },
    })
    expect(await overview({ sessionToken: sessionToken! })).not.toContain('Was this you?')
  })

  it('shows a member who became an owner', async () => {
    const { organizationId } = owner
    const member = await portal.addMember('viewer', { organizationId })
    const target = `POST /portal/members/${member.accountId}/role` as const
    await portal.visit(target, { as: owner, form: { role: 'owner' } })
    expect(await overview(owner)).toContain('from viewer to owner')
  })

  it('shows other members nothing of that', async () => {
    await issueKey('live')
    const as = await portal.addMember('developer', { organizationId: owner.organizationId })
    expect(await overview(as)).not.toContain('Was this you?')
  })
})

describe('the metrics', () => {
  it('count notices by kind, and each once', async () => {
    const { db, metrics } = portal.context
    const count = await createNoticeCounter(db, metrics)
    await issueKey('live')
    await issueKey('test')
    await addOwner()
    await count(db)
    await count(db)
    const { values } = await metrics.securityNotices.get()
    expect(Object.fromEntries(values.map(({ labels, value }) => [labels.kind, value]))).toEqual({
      live_key_created: 1,
      owner_added: 1,
    })
  })
})
