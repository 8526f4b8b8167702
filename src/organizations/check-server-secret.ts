import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Database } from '../database/open-database.js'
import { transactDurably } from '../database/transact-durably.js'
import { ServerSecretError, type ServerSecret } from './server-secret.js'

const NAME = 'server_secret_check'

/**
 * Binds a new database to the server secret, and refuses a database that was written with another secret: no key in it
 * would work.
 * @throws ServerSecretError
 */
export async function checkServerSecret(db: Database, secret: ServerSecret): Promise<void> {
  const value = createHmac('sha256', secret.subkey('database-check')).update(NAME).digest()
  await transactDurably(db, async (transaction) => {
    await transaction
      .insertInto('service_metadata')
      .values({ name: NAME, value })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const stored = await transaction
      .selectFrom('service_metadata')
      .select('value')
      .where('name', '=', NAME)
      .executeTakeFirstOrThrow()
    if (!timingSafeEqual(stored.value, value)) {
      throw new ServerSecretError(
        'The database was written with another server secret, so none of its keys work. ' +
          'Restore the `server-secret` file that belongs to it.',
      )
    }
  })
}
