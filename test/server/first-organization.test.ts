import fs from 'node:fs/promises'
import path from 'node:path'
import { authenticate } from '../../src/organizations/authenticate.js'
import { CAPABILITIES } from '../../src/organizations/capability.js'
import { createFirstOrganization } from '../../src/server/first-organization.js'
import { listOrganizations } from '../../src/organizations/organization.js'
import { NOON, openStorage, type StorageFixture } from '../organizations/_storage.js'

let storage: StorageFixture
let file: string

beforeEach(async () => {
  storage = await openStorage()
  file = path.join(storage.dataDir, 'first-key')
})
afterEach(() => storage.remove())

async function emptyDatabase(): Promise<void> {
  await storage.db.deleteFrom('organizations').execute()
}

describe('the first run', () => {
  it('creates an organisation with a test key for everything, and writes the key down', async () => {
    await emptyDatabase()
    const apiKey = await createFirstOrganization(storage, NOON)
    expect(await fs.readFile(file, 'utf8')).toBe(`${apiKey}\n`)
    expect((await fs.stat(file)).mode & 0o777).toBe(0o600)
    expect(await authenticate(storage, `Bearer ${apiKey}`, NOON)).toMatchObject({
      environment: 'test',
      capabilities: CAPABILITIES,
      plan: 'scale',
    })
  })

  it('happens once', async () => {
    await emptyDatabase()
    const [one, two] = await Promise.all([
      createFirstOrganization(storage, NOON),
      createFirstOrganization(storage, NOON),
    ])
    expect([one, two].filter((apiKey) => apiKey !== undefined)).toHaveLength(1)
    expect(await createFirstOrganization(storage, NOON)).toBeUndefined()
    expect(await listOrganizations(storage.db)).toHaveLength(1)
  })

  it('leaves a database with organisations alone', async () => {
    expect(await createFirstOrganization(storage, NOON)).toBeUndefined()
    await expect(fs.access(file)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('creates nothing when the key cannot be written down', async () => {
    await emptyDatabase()
    const dataDir = path.join(storage.dataDir, 'missing')
    await expect(createFirstOrganization({ ...storage, dataDir }, NOON)).rejects.toMatchObject({
      code: 'ENOENT',
    })
    expect(await listOrganizations(storage.db)).toEqual([])
  })
})
