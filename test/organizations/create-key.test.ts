import { newKeyId } from '../../src/organizations/api-key.js'
import { listKeys } from '../../src/organizations/list-keys.js'
import { HOUR, NOON, openStorage, type StorageFixture } from './_storage.js'

let storage: StorageFixture
beforeEach(async () => {
  storage = await openStorage()
})
afterEach(() => storage.remove())

describe('creating a key', () => {
  it('creates one key if the form is sent twice', async () => {
    const keyId = newKeyId()
    await storage.issueKey({ keyId })
    const again = storage.issueKey({ keyId, name: 'Again' })
    await expect(again).rejects.toMatchObject({ code: 'changed_meanwhile' })
    const keys = await listKeys(storage.db, { now: NOON })
    expect(keys.map(({ name }) => name)).toEqual(['Backend'])
  })

  it('is refused beyond 100 active keys', async () => {
    for (let count = 0; count < 99; count++) await storage.issueKey()
    await storage.issueKey({ expiresAt: NOON + HOUR })
    await expect(storage.issueKey()).rejects.toMatchObject({ code: 'not_possible' })
    await storage.issueKey({}, NOON + HOUR)
    await expect(storage.issueKey({}, NOON + HOUR)).rejects.toMatchObject({ code: 'not_possible' })
  })
})
