import { createKey, revokeKey } from '../../src/organizations/api-key.js'
import { generateApiKey } from '../../src/organizations/api-key-secret.js'
import { authenticate } from '../../src/organizations/authenticate.js'
import { authorize } from '../../src/organizations/authorize.js'
import { CAPABILITIES } from '../../src/organizations/capability.js'
import { listKeys } from '../../src/organizations/list-keys.js'
import { setPlan } from '../../src/organizations/organization.js'
import { ServerSecret } from '../../src/organizations/server-secret.js'
import { act, DAY, MINUTE, NOON, openStorage, SECOND, type StorageFixture } from './_storage.js'

let storage: StorageFixture

beforeEach(async () => {
  storage = await openStorage()
})
afterEach(() => storage.remove())

const withHeader = (header: string | undefined, now = NOON) => authenticate(storage, header, now)
const withKey = (apiKey: string, now = NOON) => withHeader(`Bearer ${apiKey}`, now)

describe('authenticate', () => {
  it('identifies the caller', async () => {
    const { keyId, apiKey } = await storage.issueKey({ environment: 'live' })
    expect(apiKey).toMatch(/^sk_live_[0-9A-Za-z]{38}$/)
    expect(await withKey(apiKey)).toEqual({
      organizationId: storage.organizationId,
      plan: 'free',
      environment: 'live',
      keyId,
      capabilities: CAPABILITIES,
    })
  })

  it('accepts the scheme in any case', async () => {
    const { keyId, apiKey } = await storage.issueKey()
    expect(await withHeader(`bearer ${apiKey}`)).toMatchObject({ keyId })
  })

  it.each([undefined, '', 'Bearer', 'Bearer ', 'Basic c2s6', 'sk_test_1234'])(
    'asks for a key when the header is %p',
    async (header) => {
      await expect(withHeader(header)).rejects.toMatchObject({ code: 'missing_api_key' })
    },
  )

  it('refuses an unknown key', async () => {
    await expect(withKey(generateApiKey('test'))).rejects.toMatchObject({ code: 'invalid_api_key' })
  })

  it('refuses a key with a changed or missing character, or of the other environment', async () => {
    const { apiKey } = await storage.issueKey()
    const wrong = [
      ...Array.from({ length: apiKey.length }, (_, at) => {
        const other = apiKey[at] === 'a' ? 'b' : 'a'
        return apiKey.slice(0, at) + other + apiKey.slice(at + 1)
      }),
      apiKey.slice(0, -1),
      `${apiKey}a`,
      apiKey.replace('sk_test_', 'sk_live_'),
      apiKey.toUpperCase(),
    ]
    for (const candidate of wrong) {
      await expect(withKey(candidate)).rejects.toMatchObject({ code: 'invalid_api_key' })
    }
  })

  it('refuses a revoked key', async () => {
    const { keyId, apiKey } = await storage.issueKey()
    const key = { organizationId: storage.organizationId, keyId }
    await revokeKey(storage, key, act())
    await expect(withKey(apiKey)).rejects.toMatchObject({ code: 'invalid_api_key' })
  })

  it('refuses an expired key', async () => {
    const { apiKey } = await storage.issueKey({ expiresAt: NOON + DAY })
    expect(await withKey(apiKey, NOON + DAY - 1)).toBeDefined()
    await expect(withKey(apiKey, NOON + DAY)).rejects.toMatchObject({ code: 'api_key_expired' })
  })

  it('applies a change of plan immediately', async () => {
    const { apiKey } = await storage.issueKey()
    await setPlan(storage, { organizationId: storage.organizationId, plan: 'growth' }, act())
    expect(await withKey(apiKey)).toMatchObject({ plan: 'growth' })
  })

  it('records the use of a key at most once a minute', async () => {
    const { apiKey } = await storage.issueKey()
    const lastUsed = async () => (await listKeys(storage.db, { now: NOON }))[0]?.lastUsedAt
    expect(await lastUsed()).toBeNull()
    await withKey(apiKey, NOON)
    await withKey(apiKey, NOON + 59 * SECOND)
    expect(await lastUsed()).toBe(NOON)
    await withKey(apiKey, NOON + MINUTE)
    expect(await lastUsed()).toBe(NOON + MINUTE)
  })

  it('accepts no key with the secret of another server', async () => {
    const { apiKey } = await storage.issueKey()
    const thief = { db: storage.db, secret: new ServerSecret(Buffer.alloc(32, 7)) }
    const attempt = authenticate(thief, `Bearer ${apiKey}`, NOON)
    await expect(attempt).rejects.toMatchObject({ code: 'invalid_api_key' })
  })
})

describe('authorize', () => {
  it('allows a key its capabilities and nothing else', async () => {
    const { apiKey } = await storage.issueKey({ capabilities: ['events', 'match.evaluate'] })
    const caller = await withKey(apiKey)
    expect(() => authorize(caller, 'match.evaluate')).not.toThrow()
    expect(() => authorize(caller, 'conversation.openers')).toThrow(
      expect.objectContaining({ code: 'capability_not_allowed', status: 403 }),
    )
  })
})

describe('createKey', () => {
  it('refuses an unknown organisation, an empty capability list, a past expiry and an unprintable name', async () => {
    const { db, secret, organizationId } = storage
    const valid = {
      organizationId,
      name: 'Key',
      environment: 'test',
      capabilities: CAPABILITIES,
    } as const
    const wrong = [
      { change: { organizationId: 'org_none' }, code: 'not_found' },
      { change: { capabilities: [] }, code: 'invalid' },
      { change: { expiresAt: NOON }, code: 'invalid' },
      { change: { name: 'red \u001b[31m' }, code: 'invalid' },
    ]
    for (const { change, code } of wrong) {
      const creation = createKey({ db, secret }, { ...valid, ...change }, act())
      await expect(creation).rejects.toMatchObject({ code })
    }
    expect(await listKeys(db, { now: NOON })).toEqual([])
  })

  it('never generates the same secret twice', () => {
    const keys = Array.from({ length: 1_000 }, () => generateApiKey('test'))
    expect(new Set(keys).size).toBe(1_000)
  })
})
