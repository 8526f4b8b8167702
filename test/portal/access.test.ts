import { sql } from 'kysely'
import { createKey } from '../../src/organizations/api-key.js'
import { CAPABILITIES } from '../../src/organizations/capability.js'
import { createInvitation } from '../../src/accounts/invitation.js'
import { addPasskey } from '../../src/accounts/passkey.js'
import { generateToken } from '../../src/accounts/link-token.js'
import { isAtLeast, ROLES } from '../../src/accounts/role.js'
import { portalApp } from '../../src/portal/portal-app.js'
import type { PortalRoute } from '../../src/portal/route.js'
import { PORTAL_ROUTES } from '../../src/portal/routes.js'
import { startPortal, type Portal, type Target } from './_portal.js'

let portal: Portal
let foreignOrganizationId: string

beforeAll(async () => {
  portal = await startPortal()
  foreignOrganizationId = await portal.createOrganization('Foreign Hearts')
})
afterAll(() => portal.close())

const act = () => ({ actor: 'cli:tester', now: portal.context.clock() })

/** Creates something in another organisation and returns its id, by the name of the route parameter. */
const FOREIGN_IDS: Record<string, () => Promise<string>> = {
  accountId: async () => (await addForeigner()).accountId,
  invitationId: async () => {
    const invitation = { organizationId: foreignOrganizationId, role: 'viewer' } as const
    return (await createInvitation(portal.context, invitation, act())).invitationId
  },
  passkeyId: async () => {
    const { accountId } = await addForeigner()
    const id = generateToken()
    const passkey = { id, accountId, publicKey: Buffer.from('key'), counter: 0, device: 'Firefox' }
    await addPasskey(portal.context, passkey, act())
    return id
  },
  keyId: async () => {
    const key = {
      organizationId: foreignOrganizationId,
      name: 'Foreign key',
      environment: 'test',
      capabilities: CAPABILITIES,
    } as const
    return (await createKey(portal.context, key, act())).keyId
  },
}

/** Parameters that are secrets rather than ids: anyone who has one may use it. */
const SECRETS = ['token']

function addForeigner() {
  return portal.addMember('owner', { organizationId: foreignOrganizationId })
}

const parametersOf = ({ path }: PortalRoute) =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
const nameOf = ({ method, path }: PortalRoute) => `${method.toUpperCase()} ${path}`

async function targetOf(route: PortalRoute): Promise<Target> {
  let path = route.path
  for (const name of parametersOf(route)) {
    const make = SECRETS.includes(name) ? generateToken : FOREIGN_IDS[name]
    if (!make)
      throw new Error(`Add a function to FOREIGN_IDS that creates another organisation's :${name}.`)
    path = path.replace(`:${name}`, await make())
  }
  return `${route.method.toUpperCase() as 'GET' | 'POST'} /portal${path}`
}

const byName = PORTAL_ROUTES.map((route) => [nameOf(route), route] as const)
const guarded = byName.flatMap(([name, route]) =>
  route.access === 'anyone' ? [] : [[name, { ...route, access: route.access }] as const],
)
const reading = guarded.filter(([, { method }]) => method === 'get')
const withIds = guarded.filter(([, route]) =>
  parametersOf(route).some((name) => !SECRETS.includes(name)),
)

describe('the routes of the portal', () => {
  it('are all in PORTAL_ROUTES', () => {
    const served = portalApp(portal.context).stack.flatMap(({ route }) =>
      route ? [route.path] : [],
    )
    const known = ['/assets/:name', ...PORTAL_ROUTES.map(({ path }) => path)]
    expect(new Set(served)).toEqual(new Set(known))
  })

  it('are public only where sign-in needs it', () => {
    const open = byName.filter(([, { access }]) => access === 'anyone').map(([name]) => name)
    expect(open).toEqual(OPEN)
  })

  it('require a developer or owner for changes to keys, members or learning', () => {
    const elevated = guarded.filter(([, { access }]) => access !== 'viewer')
    expect(Object.fromEntries(elevated.map(([name, { access }]) => [name, access]))).toEqual(
      ELEVATED,
    )
  })

  it.each(guarded)('%s refuses anonymous visitors', async (_name, route) => {
    const { status, location } = await portal.visit(await targetOf(route))
    const path = location?.split('?')[0]
    const refused =
      route.method === 'get'
        ? { status: 303, path: '/portal/sign-in' }
        : { status: 401, path: undefined }
    expect({ status, path }).toEqual(refused)
  })

  it('ask to sign in without a way back when the address is too long for a header', async () => {
    const short = await portal.visit('GET /portal/openers?x=y')
    expect(short.location).toBe('/portal/sign-in?next=%2Fportal%2Fopeners%3Fx%3Dy')
    const { status, location } = await portal.visit(`GET /portal/openers?x=${'%25'.repeat(3_000)}`)
    expect({ status, location }).toEqual({ status: 303, location: '/portal/sign-in' })
  })

  it.each(guarded)('%s allows its role and higher ones', async (_name, route) => {
    for (const role of ROLES) {
      const as = await portal.addMember(role)
      const { status } = await portal.visit(await targetOf(route), { as })
      const outcome = status === 401 || status === 403 || status === 500 ? status : 'let in'
      const expected = isAtLeast(role, route.access) ? 'let in' : 403
      expect({ role, outcome }).toEqual({ role, outcome: expected })
    }
  })

  it.each(withIds)('%s does not find ids of another organisation', async (_name, route) => {
    const as = await portal.addMember('owner')
    const target = await targetOf(route)
    const before = await rowsOfForeigners()
    expect((await portal.visit(target, { as, form: { role: 'viewer' } })).status).toBe(404)
    expect(await rowsOfForeigners()).toEqual(before)
  })

  it.each(reading)('%s shows nothing of another organisation', async (_name, route) => {
    const foreigner = await addForeigner()
    const ids = await Promise.all(Object.values(FOREIGN_IDS).map((make) => make()))
    const as = await portal.addMember('owner')
    const target = await targetOf(route)
    // The organisation always comes from the session, never from the URL.
    const tampered = `${target}?organization=${foreignOrganizationId}&organizationId=${foreignOrganizationId}`
    const { text } = await portal.visit(tampered as Target, { as })
    const echoed = target.split('/')
    const secrets = ['Foreign Hearts', foreigner.email, ...ids].filter((id) => !echoed.includes(id))
    for (const secret of secrets) expect(text).not.toContain(secret)
  })

  it('refuse to switch to an organisation that the account is not a member of', async () => {
    const as = await portal.addMember('owner')
    const answer = await portal.visit('POST /portal/account/organization', {
      as,
      form: { organization: foreignOrganizationId },
    })
    expect(answer.status).toBe(404)
    expect(answer.sessionToken).toBeUndefined()
  })
})

/** An addition to this list makes a page public. */
const OPEN = [
  'GET /sign-in',
  'POST /sign-in',
  'POST /sign-in/passkey/options',
  'POST /sign-in/passkey',
  'GET /sign-in/sso',
  'GET /sign-in/sso/callback',
  'GET /invitation',
  'POST /invitation',
  'POST /invitation/new-account',
  'POST /invitation/existing-account',
  'POST /invitation/address',
  'GET /invitation/:token',
  'GET /reset',
  'POST /reset',
  'POST /reset/password',
  'GET /reset/:token',
]

/** Repeats the table, so that a role lowered by mistake fails this test. */
const ELEVATED = {
  'POST /what-works/state': 'owner',
  'POST /what-works/control-share': 'owner',
  'POST /what-works/reset': 'owner',
  'GET /members': 'owner',
  'POST /members/invitations': 'owner',
  'POST /members/invitations/:invitationId/withdraw': 'owner',
  'POST /members/:accountId/role': 'owner',
  'POST /members/:accountId/remove': 'owner',
  'GET /keys/new': 'developer',
  'POST /keys': 'developer',
  'POST /keys/:keyId/rotate': 'developer',
  'POST /keys/:keyId/end-old-secret': 'developer',
  'POST /keys/:keyId/revoke': 'developer',
  'POST /playground/key': 'developer',
}

/** All rows in the database that belong to the other organisation. */
async function rowsOfForeigners(): Promise<unknown> {
  const { db } = portal.context
  const tables = await db.introspection.getTables()
  const owned = tables.filter(({ columns }) =>
    columns.some(({ name }) => name === 'organization_id'),
  )
  const rows = owned.map(async ({ name }) => {
    const found =
      await sql`select * from ${sql.table(name)} where organization_id = ${foreignOrganizationId}`.execute(
        db,
      )
    return [name, found.rows] as const
  })
  return Object.fromEntries(await Promise.all(rows))
}
