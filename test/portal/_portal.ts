import { randomUUID } from 'node:crypto'
import { FORM_TOKEN_FIELD, formToken } from '../../src/portal/form-guard.js'
import { hashToken } from '../../src/accounts/link-token.js'
import { startSession } from '../../src/accounts/session.js'
import { ROLES, type Role } from '../../src/accounts/role.js'
import { hashPassword } from '../../src/accounts/password.js'
import { newId } from '../../src/organizations/new-id.js'
import { createOrganization } from '../../src/organizations/organization.js'
import { startService, type Service, type ServiceOptions } from '../http/_service.js'

/** A signed-in member of an organisation. */
export interface Member {
  accountId: string
  organizationId: string
  /** The verified address, which is also the sign-in name. */
  email: string
  role: Role
  password: string
  /** Value of the session cookie. */
  sessionToken: string
}

export interface Portal extends Service {
  /** The first organisation. */
  organizationId: string
  /** Adds an organisation. */
  createOrganization(name?: string): Promise<string>
  /** Adds a member to the first organisation, or the given one, and signs them in. */
  addMember(role: Role, options?: { organizationId?: string; email?: string }): Promise<Member>
  /** Sends a request as a browser would, but does not follow redirects. */
  visit(target: Target, options?: VisitOptions): Promise<PageAnswer>
  /** Adds one member of each role to the first organisation. */
  addMembers(): Promise<Record<Role, Member>>
}

/** Such as `POST /portal/sign-in`. */
export type Target = `${'GET' | 'POST'} /${string}`

export interface VisitOptions {
  /** The signed-in member. */
  as?: Pick<Member, 'sessionToken'> | undefined
  /** Fields of the form; the form token is added if missing. */
  form?: Record<string, string> | URLSearchParams
  /** Added to, or in place of, those of a browser. */
  headers?: Record<string, string>
  /** Another address of the service than `baseUrl`. */
  at?: string
}

export interface PageAnswer {
  status: number
  headers: Headers
  text: string
  /** Target of a redirect. */
  location: string | null
  /** Value of the session cookie that is set; empty if it is cleared. */
  sessionToken: string | undefined
  /** Value of the cookie that marks the browser as known. */
  browserToken: string | undefined
}

const PASSWORD = 'a plain long password of tests'
let passwordHash: Promise<string> | undefined

/** Starts the real application on a free port with fake models, and helpers to use its portal. */
export async function startPortal({
  organizationName,
  ...options
}: ServiceOptions & { organizationName?: string } = {}): Promise<Portal> {
  const service = await startService(options)
  const { context } = service
  const first = await context.db.selectFrom('organizations').select('id').executeTakeFirstOrThrow()
  if (organizationName !== undefined) {
    await context.db.updateTable('organizations').set({ name: organizationName }).execute()
  }
  const addMember: Portal['addMember'] = async (role, given = {}) => {
    const organizationId = given.organizationId ?? first.id
    const email = given.email ?? `${role}-${randomUUID().slice(0, 8)}@example.com`
    const accountId = newId('acc')
    const now = context.clock()
    await context.db
      .insertInto('accounts')
      .values({
        id: accountId,
        sign_in_name: email,
        email,
        password_hash: await (passwordHash ??= hashPassword(PASSWORD)),
        created_at: now,
      })
      .execute()
    await context.db
      .insertInto('memberships')
      .values({
        organization_id: organizationId,
        account_id: accountId,
        role,
        created_at: now,
      })
      .execute()
    const sessionToken = await startSession(context, {
      accountId,
      organizationId,
      device: 'Firefox on Windows',
      now,
    })
    return { accountId, organizationId, email, role, password: PASSWORD, sessionToken }
  }
  const visit: Portal['visit'] = async (target, options = {}) => {
    const { as, form, headers = {}, at = service.baseUrl } = options
    const [method = '', path = ''] = target.split(' ')
    const fields = new URLSearchParams(form)
    if (as && !fields.has(FORM_TOKEN_FIELD)) {
      const tokenHash = hashToken(context.secret, as.sessionToken)
      fields.set(FORM_TOKEN_FIELD, formToken(context.secret, tokenHash))
    }
    const response = await fetch(at + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(as && { Cookie: `portal=${as.sessionToken}` }),
        ...(method === 'POST' && { Origin: at }),
        ...headers,
      },
      ...(method === 'POST' && { body: fields }),
    })
    const cookieOf = (name: string) =>
      response.headers
        .getSetCookie()
        .map((cookie) => new RegExp(`^(?:__Host-)?${name}=([^;]*)`).exec(cookie)?.[1])
        .find((value) => value !== undefined)
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      location: response.headers.get('location'),
      sessionToken: cookieOf('portal'),
      browserToken: cookieOf('portal-browser'),
    }
  }
  return {
    ...service,
    visit,
    organizationId: first.id,
    addMember,
    addMembers: async () => {
      const members = await Promise.all(ROLES.map((role) => addMember(role)))
      return Object.fromEntries(members.map((member) => [member.role, member])) as Record<
        Role,
        Member
      >
    },
    createOrganization: async (name = `Organisation ${randomUUID().slice(0, 8)}`) => {
      const plan = [...context.plans.keys()][0]!
      const act = { actor: 'cli:tester', now: context.clock() }
      return (await createOrganization(context, { name, plan }, act)).id
    },
  }
}
