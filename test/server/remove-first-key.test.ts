import fs from 'node:fs/promises'
import path from 'node:path'
import { revokeKey } from '../../src/organizations/api-key.js'
import { rotateKey } from '../../src/organizations/rotate-key.js'
import { createFirstOrganization } from '../../src/server/first-organization.js'
import { removeFirstKey } from '../../src/server/remove-first-key.js'
import {
  act,
  DAY,
  HOUR,
  NOON,
  openStorage,
  type StorageFixture,
} from '../organizations/_storage.js'

const LOG = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

let storage: StorageFixture
beforeEach(async () => {
  storage = await openStorage()
  await storage.db.deleteFrom('organizations').execute()
  await createFirstOrganization(storage, NOON)
})
afterEach(() => storage.remove())

/** Whether the file is still there after a look. */
async function isKept(now = NOON + HOUR): Promise<boolean> {
  const isGone = await removeFirstKey({ ...storage, log: LOG, clock: () => now })
  const kept = await fs.access(path.join(storage.dataDir, 'first-key')).then(
    () => true,
    () => false,
  )
  expect(isGone).toBe(!kept)
  return kept
}

async function firstKey() {
  const { id, organization_id: organizationId } = await storage.db
    .selectFrom('api_keys')
    .select(['id', 'organization_id'])
    .executeTakeFirstOrThrow()
  return { keyId: id, organizationId }
}

describe('the file first-key', () => {
  it('stays while somebody tries the service out', async () => {
    const { organizationId } = await firstKey()
    await storage.issueKey({ organizationId, environment: 'test' })
    expect(await isKept()).toBe(true)
    expect(await isKept(NOON + 6 * DAY)).toBe(true)
  })

  it('is removed once there is a live key', async () => {
    const { organizationId } = await firstKey()
    await storage.issueKey({ organizationId, environment: 'live' })
    expect(await isKept()).toBe(false)
  })

  it('is removed once the key was rotated', async () => {
    await rotateKey(storage, await firstKey(), act())
    expect(await isKept()).toBe(false)
  })

  it('is removed once the key was revoked', async () => {
    await revokeKey(storage, await firstKey(), act())
    expect(await isKept()).toBe(false)
  })

  it('is removed after a week', async () => {
    expect(await isKept(NOON + 7 * DAY)).toBe(false)
  })

  it('stays if its key belongs to another database', async () => {
    await storage.db.deleteFrom('api_key_secrets').execute()
    expect(await isKept(NOON + 30 * DAY)).toBe(true)
  })
})
