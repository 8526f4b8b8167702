import fs from 'node:fs/promises'
import path from 'node:path'
import type { Database } from '../database/open-database.js'
import { hashApiKey } from '../organizations/api-key-secret.js'
import type { ServerSecret } from '../organizations/server-secret.js'
import { describeError, type Log } from '../telemetry/log.js'
import { FIRST_KEY_FILE } from './first-organization.js'

const INTERVAL_MS = 60_000
/** Long enough to try the service out; a plain key must not lie around for good. */
const LIFETIME_MS = 7 * 24 * 60 * 60_000

interface FirstKeyDeps {
  db: Database
  secret: ServerSecret
  log: Log
  clock: () => number
  dataDir: string
}

/** Looks every minute whether the file `first-key` has done its duty, until it is gone or the function is called. */
export function watchFirstKey(deps: FirstKeyDeps): () => void {
  const look = async () => {
    try {
      if (await removeFirstKey(deps)) clearInterval(timer)
    } catch (error) {
      deps.log.warn('the file first-key could not be removed', describeError(error))
    }
  }
  const timer = setInterval(() => void look(), INTERVAL_MS).unref()
  void look()
  return () => clearInterval(timer)
}

/**
 * Removes the file `first-key` once there is a live key, once the key in it was rotated, revoked or has expired, or after
 * a week. A key of another database is not touched, since the file may be its only copy.
 * @returns whether the file is gone
 */
export async function removeFirstKey({
  db,
  secret,
  log,
  clock,
  dataDir,
}: FirstKeyDeps): Promise<boolean> {
  const file = path.join(dataDir, FIRST_KEY_FILE)
  const apiKey = await readKey(file)
  if (apiKey === undefined) return true
  const reason = await findReason(db, hashApiKey(secret, apiKey), clock())
  if (reason === undefined) return false
  await fs.rm(file, { force: true })
  log.info('the file first-key was removed; the key in it is unchanged', { reason })
  return true
}

async function readKey(file: string): Promise<string | undefined> {
  try {
    return (await fs.readFile(file, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function findReason(
  db: Database,
  secretHash: Buffer,
  now: number,
): Promise<string | undefined> {
  const key = await db
    .selectFrom('api_key_secrets')
    .innerJoin('api_keys', 'api_keys.id', 'api_key_secrets.key_id')
    .select([
      'api_keys.created_at',
      'api_keys.revoked_at',
      'api_keys.expires_at',
      'api_key_secrets.expires_at as secret_expires_at',
    ])
    .where('secret_hash', '=', secretHash)
    .executeTakeFirst()
  if (!key) return undefined
  if (key.revoked_at !== null) return 'it was revoked'
  if (key.secret_expires_at !== null) return 'it was rotated'
  if (key.expires_at !== null && key.expires_at <= now) return 'it has expired'
  if (now - key.created_at >= LIFETIME_MS) return 'it is a week old'
  const live = await db
    .selectFrom('api_keys')
    .select('id')
    .where('environment', '=', 'live')
    .limit(1)
    .executeTakeFirst()
  return live && 'there is a live key'
}
