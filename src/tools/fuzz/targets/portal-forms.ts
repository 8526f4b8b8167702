import { toUSVString } from 'node:util'
import fc, { type Arbitrary } from 'fast-check'
import { FORM_TOKEN_FIELD } from '../../../portal/form-guard.js'
import { PORTAL_ROUTES } from '../../../portal/routes.js'
import { Finding } from '../finding.js'
import { applyDamage, damage, type Damage } from '../inputs/mutate-bytes.js'
import { oddText } from '../inputs/odd-text.js'
import { createTarget } from '../run-target.js'
import { joinPortal, type PortalMember } from '../service/portal-member.js'
import type { FuzzAnswer } from '../service/send-request.js'

/** A password is hashed on purpose slowly, even for an account that does not exist. */
const CEILINGS = { refused: 1_500, answered: 1_500 }
const DOCUMENTED = new Set([200, 303, 400, 401, 403, 404, 405, 409, 413, 415, 429, 503])

const FIELDS = [
  ['email', 'password', 'current', 'next', 'name', 'environment', 'capability', 'lifetime'],
  ['key_id', 'role', 'organization', 'secret_created_at', '__proto__', 'constructor', ''],
].flat()
/** Must never come out as an element. */
const MARKUP = "\"><fuzz-element a='b'>"
const VALUES = [
  [MARKUP, '</title><fuzz-element>', '<fuzz-element>@example.com', 'javascript:alert(1)'],
  ['nobody@example.com', 'owner', 'developer', 'viewer', 'live', 'test', 'events', 'a\0b'],
  ['match.evaluate', '365', '-1', '1e309', 'NaN', 'key_000000000000000000000000', '//evil'],
  ['/portal', '/portal/../..//evil.invalid', 'https://evil.invalid', '/\\evil.invalid'],
  ['a long password of words', 'password1234'],
].flat()
const oddValue = (maxCharacters: number) =>
  fc.oneof(fc.constantFrom(...VALUES), oddText(maxCharacters))
const odd = oddValue(2_000)
/** Parts of an address, which escaping makes up to nine times as long, and which has to fit in 16 KB. */
const oddPart = oddValue(300)

interface FormInput {
  method: 'GET' | 'POST'
  /** Pattern of the route. */
  route: string
  parameter: string
  query: [string, string][]
  session: 'owner' | 'none' | 'forged'
  token: 'right' | 'wrong' | 'none'
  origin: 'own' | 'foreign' | 'none'
  fields: [string, string][]
  damages: Damage[]
}

const inputs: Arbitrary<FormInput> = fc.constantFrom(...PORTAL_ROUTES).chain(({ method, path }) =>
  fc.record({
    method: fc.constant(method === 'get' ? ('GET' as const) : ('POST' as const)),
    route: fc.constant(path),
    parameter: oddPart,
    query: fc.array(fc.tuple(fc.constantFrom('env', 'from', 'to', 'next', 'done', 'x'), oddPart), {
      maxLength: 2,
    }),
    session: fc.constantFrom('owner', 'owner', 'owner', 'none', 'forged'),
    token: fc.constantFrom('right', 'right', 'right', 'wrong', 'none'),
    origin: fc.constantFrom('own', 'own', 'own', 'foreign', 'none'),
    fields: fc.array(fc.tuple(fc.oneof(fc.constantFrom(...FIELDS), oddText(100)), odd), {
      maxLength: 6,
      size: 'max',
    }),
    damages: fc.array(damage, { maxLength: 1 }),
  }),
)

/** The forms and pages of the portal, with and without a session, form token and origin. */
export const portalForms = createTarget<FormInput>('portal-forms', async (resources) => {
  const service = await resources.service()
  const { send, baseUrl, readCpuMs } = service
  let member = await joinPortal(service)
  return {
    inputs,
    ceilings: CEILINGS,
    readCpuMs,
    attempt: async (input) => {
      const answer = await send({
        method: input.method,
        path: writePath(input),
        headers: writeHeaders(input, member, baseUrl),
        body: writeForm(input, member),
      })
      judgePage(answer, input)
      // Signed out, or signed in anew by what the form did.
      if (input.session === 'owner' && answer.headers['set-cookie'])
        member = await joinPortal(service)
      return answer.status < 400 ? 'answered' : 'refused'
    },
  }
})

function writePath({ route, parameter, query }: FormInput): string {
  const filled = route.replace(/:\w+/g, () => encodeURIComponent(toUSVString(parameter)) || 'x')
  const pairs = query.map(([name, value]) => `${name}=${encodeURIComponent(toUSVString(value))}`)
  return `/portal${filled}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`
}

function writeHeaders({ session, origin }: FormInput, { cookie }: PortalMember, baseUrl: string) {
  const cookies = { owner: cookie, none: undefined, forged: `portal=${'a'.repeat(43)}` }
  const origins = { own: baseUrl, foreign: 'https://evil.invalid', none: undefined }
  return {
    'Content-Type': 'application/x-www-form-urlencoded',
    ...(cookies[session] !== undefined && { Cookie: cookies[session] }),
    ...(origins[origin] !== undefined && { Origin: origins[origin] }),
  }
}

function writeForm({ token, fields, damages }: FormInput, { formToken }: PortalMember): Buffer {
  const form = new URLSearchParams(fields.map(([name, value]) => [name, value]))
  if (token !== 'none')
    form.append(FORM_TOKEN_FIELD, token === 'right' ? formToken : 'a'.repeat(43))
  return damages.reduce(applyDamage, Buffer.from(String(form)))
}

/** @throws Finding */
function judgePage({ status, headers, text }: FuzzAnswer, input: FormInput): void {
  if (!DOCUMENTED.has(status)) throw new Finding(`the undocumented status ${status}`)
  if (text.includes('<fuzz-element')) throw new Finding('a text came out as an element of the page')
  if (!headers['content-security-policy']?.includes("default-src 'none'")) {
    throw new Finding(`${status} without a content security policy`)
  }
  if (headers['cache-control'] !== 'no-store') throw new Finding(`${status} may be cached`)
  const { location } = headers
  if (location !== undefined && !/^\/portal(?:[/?]|$)/.test(location)) {
    throw new Finding('a redirect leaves the portal')
  }
  const isMemberForm =
    input.method === 'POST' &&
    PORTAL_ROUTES.some(
      ({ method, path, access }) =>
        method === 'post' && path === input.route && access !== 'anyone',
    )
  const isAllowed = input.session === 'owner' && input.token === 'right' && input.origin === 'own'
  if (isMemberForm && !isAllowed && status < 400) {
    throw new Finding(`${status} for a form without session, token or origin`)
  }
  if (input.method === 'POST' && input.origin !== 'own' && status < 400) {
    throw new Finding(`${status} for a form of another site`)
  }
}
