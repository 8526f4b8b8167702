import { revokeKey } from '../../src/organizations/api-key.js'
import { listAudit } from '../../src/organizations/audit-log.js'
import { authenticate } from '../../src/organizations/authenticate.js'
import { findKey, listKeys } from '../../src/organizations/list-keys.js'
import { endGrace, rotateKey } from '../../src/organizations/rotate-key.js'
import {
  act,
  DAY,
  HOUR,
  MINUTE,
  NOON,
  openStorage,
  SECOND,
  type StorageFixture,
} from './_storage.js'

let storage: StorageFixture
let key: { organizationId: string; keyId: string }
let first: string

beforeEach(async () => {
  storage = await openStorage()
  const issued = await storage.issueKey()
  key = { organizationId: storage.organizationId, keyId: issued.keyId }
  first = issued.apiKey
})
afterEach(() => storage.remove())

const withKey = (apiKey: string, now: number) => authenticate(storage, `Bearer ${apiKey}`, now)
const rotate = async (now: number) => (await rotateKey(storage, key, act(now))).apiKey

describe('rotation', () => {
  it('issues a new secret for the same key', async () => {
    const second = await rotate(NOON)
    expect(second).not.toBe(first)
    expect(await withKey(second, NOON)).toMatchObject({ keyId: key.keyId })
  })

  it('keeps the old secret valid for exactly 24 hours', async () => {
    const second = await rotate(NOON)
    expect(await withKey(first, NOON + DAY - SECOND)).toMatchObject({ keyId: key.keyId })
    for (const later of [NOON + DAY, NOON + DAY + SECOND, NOON + 400 * DAY]) {
      await expect(withKey(first, later)).rejects.toMatchObject({
        code: 'api_key_expired',
        status: 401,
      })
    }
    expect(await withKey(second, NOON + 400 * DAY)).toMatchObject({ keyId: key.keyId })
  })

  it('keeps at most two secrets valid', async () => {
    const second = await rotate(NOON)
    const third = await rotate(NOON + HOUR)
    const now = NOON + HOUR
    await expect(withKey(first, now)).rejects.toMatchObject({ code: 'api_key_expired' })
    expect(await withKey(second, NOON + HOUR + DAY - SECOND)).toBeDefined()
    expect(await withKey(third, now)).toBeDefined()
    await expect(withKey(second, NOON + HOUR + DAY)).rejects.toMatchObject({
      code: 'api_key_expired',
    })
  })

  it('can end the grace period immediately', async () => {
    const second = await rotate(NOON)
    await endGrace(storage, key, act(NOON + HOUR))
    await expect(withKey(first, NOON + HOUR)).rejects.toMatchObject({ code: 'api_key_expired' })
    expect(await withKey(second, NOON + HOUR)).toBeDefined()
    const again = endGrace(storage, key, act(NOON + HOUR))
    await expect(again).rejects.toMatchObject({ code: 'not_possible' })
  })

  it('revokes the old and the new secret together', async () => {
    const second = await rotate(NOON)
    await revokeKey(storage, key, act(NOON + 1))
    for (const apiKey of [first, second]) {
      await expect(withKey(apiKey, NOON + 1)).rejects.toMatchObject({ code: 'invalid_api_key' })
    }
  })

  it('is refused for a revoked or expired key and for a key of another organisation', async () => {
    const foreign = rotateKey(storage, { ...key, organizationId: 'org_other' }, act())
    await expect(foreign).rejects.toMatchObject({ code: 'not_found' })
    await revokeKey(storage, key, act())
    await expect(rotate(NOON)).rejects.toMatchObject({ code: 'not_possible' })
    const expiring = await storage.issueKey({ expiresAt: NOON + HOUR })
    const tooLate = rotateKey(storage, { ...key, keyId: expiring.keyId }, act(NOON + HOUR))
    await expect(tooLate).rejects.toMatchObject({ code: 'not_possible' })
  })

  it('appears in lists with the prefix of the current secret and the end of the grace period', async () => {
    const second = await rotate(NOON)
    expect(await listKeys(storage.db, { now: NOON + HOUR })).toEqual([
      expect.objectContaining({
        keyId: key.keyId,
        status: 'active',
        prefix: second.slice(0, 12),
        secretCreatedAt: NOON,
        oldSecret: { prefix: first.slice(0, 12), endsAt: NOON + DAY, lastUsedAt: null },
      }),
    ])
    const [later] = await listKeys(storage.db, { now: NOON + DAY })
    expect(later?.oldSecret).toBeNull()
  })

  it('shows whether the old secret is still in use', async () => {
    await withKey(first, NOON)
    const second = await rotate(NOON + MINUTE)
    await withKey(second, NOON + HOUR)
    const find = async () => findKey(storage.db, { ...key, now: NOON + 3 * HOUR })
    expect(await find()).toMatchObject({
      lastUsedAt: NOON + HOUR,
      oldSecret: { lastUsedAt: NOON },
    })
    await withKey(first, NOON + 2 * HOUR)
    expect(await find()).toMatchObject({
      lastUsedAt: NOON + 2 * HOUR,
      oldSecret: { lastUsedAt: NOON + 2 * HOUR },
    })
  })

  it('replaces the given secret and no other', async () => {
    const seen = { ...key, secretCreatedAt: NOON }
    const second = (await rotateKey(storage, seen, act(NOON + HOUR))).apiKey
    const late = rotateKey(storage, seen, act(NOON + HOUR))
    await expect(late).rejects.toMatchObject({ code: 'changed_meanwhile' })
    for (const apiKey of [first, second]) {
      expect(await withKey(apiKey, NOON + HOUR)).toMatchObject({ keyId: key.keyId })
    }
    const entries = await listAudit(storage.db, { subject: key.keyId, limit: 10 })
    expect(entries.map(({ action }) => action)).toEqual(['key.rotated', 'key.created'])
  })

  it('is recorded with actor and time, and without a secret', async () => {
    const second = await rotate(NOON)
    await endGrace(storage, key, act(NOON + 1))
    await revokeKey(storage, key, act(NOON + 2))
    const entries = await listAudit(storage.db, { limit: 10 })
    expect(
      entries.map(({ action, at, actor, subject }) => ({ action, at, actor, subject })),
    ).toEqual([
      { action: 'key.revoked', at: NOON + 2, actor: 'cli:tester', subject: key.keyId },
      { action: 'key.grace_ended', at: NOON + 1, actor: 'cli:tester', subject: key.keyId },
      { action: 'key.rotated', at: NOON, actor: 'cli:tester', subject: key.keyId },
      { action: 'key.created', at: NOON, actor: 'cli:tester', subject: key.keyId },
      {
        action: 'organization.created',
        at: NOON,
        actor: 'cli:tester',
        subject: storage.organizationId,
      },
    ])
    const written = JSON.stringify(entries)
    for (const secret of [first, second]) expect(written).not.toContain(secret.slice(8, 20))
  })
})
