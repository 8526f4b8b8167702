import { openTestDatabase } from '../_database.js'
import { signInByPassword } from '../../src/accounts/sign-in.js'
import { MINUTE, NOON, openStorage } from '../organizations/_storage.js'

describe('the limits of failed sign-ins', () => {
  it('survive a restart', async () => {
    const storage = await openStorage()
    const attempt = {
      signInName: 'somebody@example.com',
      // Too long to be hashed, which keeps the test fast.
      password: 'x'.repeat(300),
      address: '192.0.2.1',
      browserToken: undefined,
      device: '',
      now: NOON,
    }
    for (let count = 0; count < 10; count++) await signInByPassword(storage, attempt)
    await storage.db.destroy()
    const db = await openTestDatabase(storage.dataDir)
    try {
      expect(await signInByPassword({ ...storage, db }, attempt)).toEqual({
        kind: 'too-many-attempts',
        waitMs: 15 * MINUTE,
      })
    } finally {
      await db.destroy()
    }
  })
})
