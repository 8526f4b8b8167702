import fs from 'node:fs/promises'
import path from 'node:path'
import { authenticate } from '../../src/organizations/authenticate.js'
import { CAPABILITIES } from '../../src/organizations/capability.js'
import { createFirstOrganization } from '../../src/server/first-organization.js'
import { listOrganizations } from '../../src/organizations/organization.js'
import { describeOnSqlite } from '../_database.js'
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

describe('createFirstOrganization', () => {
  it('creates an organisation and a test key with all capabilities, and writes the key to a file', async () => {
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

  it('creates only one organisation', async () => {
    await emptyDatabase()
    const [one, two] = await Promise.all([
      createFirstOrganization(storage, NOON),
      createFirstOrganization(storage, NOON),
    ])
    expect([one, two].filter((apiKey) => apiKey !== undefined)).toHaveLength(1)
    expect(await createFirstOrganization(storage, NOON)).toBeUndefined()
    expect(await listOrganizations(storage.db)).toHaveLength(1)
  })

  it('changes nothing in a database with organisations', async () => {
    expect(await createFirstOrganization(storage, NOON)).toBeUndefined()
    await expect(fs.access(file)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

describeOnSqlite('createFirstOrganization on SQLite', () => {
  it('creates nothing if the key cannot be written', async () => {
    await emptyDatabase()
    const dataDir = path.join(storage.dataDir, 'missing')
    await expect(createFirstOrganization({ ...storage, dataDir }, NOON)).rejects.toMatchObject({
      code: 'ENOENT',
    })
    expect(await listOrganizations(storage.db)).toEqual([])
  })
})
