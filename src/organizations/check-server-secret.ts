import { createHmac, timingSafeEqual } from 'node:crypto'
import { existsSync } from 'node:fs'
import { isPostgres } from '../database/dialect.js'
import type { Database, DatabasePlace } from '../database/open-database.js'
import { transactDurably } from '../database/transact-durably.js'
import {
  openServerSecret,
  readGivenSecret,
  readServerSecret,
  secretFileOf,
  ServerSecretError,
  type ServerSecret,
} from './server-secret.js'

const NAME = 'server_secret_check'

/**
 * Binds a new database to the server secret, and refuses a database that was written with another secret: no key in it
 * would work.
 * @throws ServerSecretError
 */
export async function checkServerSecret(db: Database, secret: ServerSecret): Promise<void> {
  const value = checkValueOf(secret)
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
          'Restore the one that belongs to it: `server-secret` in DATA_DIR, or the file named by SERVER_SECRET_FILE.',
      )
    }
  })
}

/** Where the server secret is: in a file of the operator, or in the data folder. */
export interface SecretPlace {
  dataDir: string
  serverSecretFile?: string | undefined
}

/**
 * Opens the server secret of a database: the file that the operator gives, which is never created, or the one in the
 * data folder of SQLite, which is created for a new database.
 * @throws ServerSecretError when it is missing or not that of the database
 */
export async function openSecretOf(
  db: Database,
  { dataDir, serverSecretFile }: SecretPlace,
): Promise<ServerSecret> {
  if (serverSecretFile !== undefined || isPostgres(db)) {
    const secret = await readGivenSecret(serverSecretFile)
    await checkServerSecret(db, secret)
    return secret
  }
  const file = secretFileOf(dataDir)
  // A new one would accept no key of this database, and hide that the right one is missing.
  if (!existsSync(file) && (await isBound(db))) {
    throw new ServerSecretError(
      `The server secret ${file} is missing, so no key of the database works. Restore the file that belongs to the database.`,
    )
  }
  const secret = await openServerSecret(dataDir)
  await checkServerSecret(db, secret)
  return secret
}

async function isBound(db: Database): Promise<boolean> {
  const row = await db
    .selectFrom('service_metadata')
    .select('name')
    .where('name', '=', NAME)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Reads the server secret without creating one; undefined if there is none yet.
 * @throws ServerSecretError when it cannot be used, or the operator should have given one
 */
export async function findSecret({
  dataDir,
  serverSecretFile,
  postgres,
}: SecretPlace & DatabasePlace): Promise<ServerSecret | undefined> {
  if (serverSecretFile !== undefined || postgres) return readGivenSecret(serverSecretFile)
  return existsSync(secretFileOf(dataDir)) ? readServerSecret(dataDir) : undefined
}

/** Whether a database was written with a server secret; undefined if it is not bound to any yet. Only reads. */
export async function isSecretOf(db: Database, secret: ServerSecret): Promise<boolean | undefined> {
  const stored = await db
    .selectFrom('service_metadata')
    .select('value')
    .where('name', '=', NAME)
    .executeTakeFirst()
  return stored && timingSafeEqual(stored.value, checkValueOf(secret))
}

function checkValueOf(secret: ServerSecret): Buffer {
  return createHmac('sha256', secret.subkey('database-check')).update(NAME).digest()
}
