import { newKeyId } from '../../src/organizations/api-key.js'
import { listAudit } from '../../src/organizations/audit-log.js'
import { listKeys } from '../../src/organizations/list-keys.js'
import { startPortal, type Member, type Portal } from './_portal.js'

const HOUR_MS = 3_600_000

let now = Date.UTC(2026, 10, 22, 2, 10)
let portal: Portal
let developer: Member
beforeAll(async () => {
  portal = await startPortal({ clock: () => now })
})
afterAll(() => portal.close())
beforeEach(async () => {
  const organizationId = await portal.createOrganization()
  developer = await portal.addMember('developer', { organizationId })
})

const KEY_FORM = { name: 'Backend', environment: 'live', capability: 'match.evaluate' }
const create = (form: Record<string, string> = {}) =>
  portal.visit('POST /portal/keys', {
    as: developer,
    form: { key_id: newKeyId(), ...KEY_FORM, ...form },
  })
const list = () => listKeys(portal.context.db, { organizationId: developer.organizationId, now })
const secretIn = (html: string) => /sk_(?:live|test)_[0-9A-Za-z]{38}/.exec(html)?.[0]

describe('the pages for keys', () => {
  it('show a secret only in the response to the form, which may not be cached', async () => {
    const answer = await create()
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const secret = secretIn(answer.text)!
    const [key] = await list()
    expect(key).toMatchObject({
      name: 'Backend',
      environment: 'live',
      capabilities: ['match.evaluate'],
      prefix: secret.slice(0, 12),
    })
    for (const path of ['/keys', `/keys/${key!.keyId}`, '/keys/audit'] as const) {
      const { text } = await portal.visit(`GET /portal${path}`, { as: developer })
      expect(text).toContain('Backend')
      expect(secretIn(text)).toBeUndefined()
    }
    const entries = await listAudit(portal.context.db, {
      organizationId: developer.organizationId,
      limit: 1,
    })
    expect(entries).toMatchObject([
      { action: 'key.created', actor: `portal:${developer.accountId}` },
    ])
  })

  it('create one key if a form is sent twice, and show no second secret', async () => {
    const form = { key_id: newKeyId() }
    await create(form)
    const again = await create(form)
    expect(again.status).toBe(409)
    expect(again.text).toContain('This form was sent before')
    expect(secretIn(again.text)).toBeUndefined()
    expect(await list()).toHaveLength(1)
  })

  it('do not reveal whether another organisation has a key with the id in a form', async () => {
    const form = { key_id: newKeyId() }
    await create(form)
    const as = await portal.addMember('developer')
    const answer = await portal.visit('POST /portal/keys', { as, form: { ...KEY_FORM, ...form } })
    expect(answer.status).toBe(404)
    expect(answer.text).not.toContain('Backend')
  })

  it('rotate once if a form is sent twice', async () => {
    await create()
    const [key] = await list()
    now += HOUR_MS
    const rotate = () =>
      portal.visit(`POST /portal/keys/${key!.keyId}/rotate`, {
        as: developer,
        form: { secret_created_at: String(key!.secretCreatedAt) },
      })
    const first = await rotate()
    expect(first.status).toBe(200)
    const again = await rotate()
    expect(again.status).toBe(409)
    expect(again.text).toContain('Nothing was changed. You rotated this key in the meantime')
    expect(secretIn(again.text)).toBeUndefined()
    expect((await list())[0]?.prefix).toBe(secretIn(first.text)?.slice(0, 12))
  })

  it('refuse to rotate if the form does not name the current secret', async () => {
    await create()
    const [key] = await list()
    const answer = await portal.visit(`POST /portal/keys/${key!.keyId}/rotate`, { as: developer })
    expect(answer.status).toBe(409)
    expect((await list())[0]?.oldSecret).toBeNull()
  })

  it('say who revoked a key that somebody else tries to rotate', async () => {
    await create()
    const [key] = await list()
    const colleague = await portal.addMember('owner', {
      organizationId: developer.organizationId,
    })
    const revoked = await portal.visit(`POST /portal/keys/${key!.keyId}/revoke`, { as: colleague })
    expect(revoked.location).toBe(`/portal/keys/${key!.keyId}?done=revoked`)
    const answer = await portal.visit(`POST /portal/keys/${key!.keyId}/rotate`, {
      as: developer,
      form: { secret_created_at: String(key!.secretCreatedAt) },
    })
    expect(answer.status).toBe(409)
    expect(answer.text).toContain(`${colleague.email} revoked this key in the meantime`)
  })

  it('refuse a key without a name or a capability, and keep what was entered', async () => {
    for (const form of [
      { ...KEY_FORM, name: ' ' },
      { name: 'Mine', capability: 'everything' },
    ]) {
      const answer = await create(form)
      expect(answer.status).toBe(400)
      expect(answer.text).toContain(`value="${form.name}"`)
    }
    expect(await list()).toEqual([])
  })

  it('describe audit log entries in words', async () => {
    await create()
    const { text } = await portal.visit('GET /portal/keys/audit', { as: developer })
    expect(text).toContain('created the organisation')
    expect(text).toContain(developer.email)
    expect(text).not.toMatch(/key\.created|portal:acc_/)
  })
})
