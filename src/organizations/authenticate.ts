import type { Database } from '../database/open-database.js'
import { prepareQuery } from '../database/prepare-query.js'
import { ServiceError } from '../core/service-error.js'
import { hashApiKey, isWellFormedApiKey } from './api-key-secret.js'
import type { Caller, Capability, Environment } from './capability.js'
import type { ServerSecret } from './server-secret.js'

const LAST_USED_RESOLUTION_MS = 60_000

/**
 * Identifies the caller by the `Authorization` header. It queries the database every time, so that a rotation or
 * revocation by another process applies from the next request on.
 *
 * The secret is looked up by its HMAC. The timing of the lookup reveals nothing about a secret, because the hash of a
 * guess cannot be computed without the server secret.
 * @throws ServiceError `missing_api_key`, `invalid_api_key`, `api_key_expired`
 */
export async function authenticate(
  deps: { db: Database; secret: ServerSecret },
  authorization: string | undefined,
  now: number,
): Promise<Caller> {
  const apiKey = bearerToken(authorization)
  if (!isWellFormedApiKey(apiKey)) throw invalidKey()
  const secretHash = hashApiKey(deps.secret, apiKey)
  const { rows } = await findKeys(deps.db, { secretHash })
  const [key] = rows
  if (!key) throw invalidKey()
  if (key.revoked_at !== null) {
    throw new ServiceError('invalid_api_key', 'This API key was revoked. Use another one.')
  }
  if (hasExpired(key.secret_expires_at, now)) {
    throw new ServiceError(
      'api_key_expired',
      'This API key was rotated and its old secret has expired. Use the new secret.',
    )
  }
  if (hasExpired(key.expires_at, now)) {
    throw new ServiceError('api_key_expired', 'This API key has expired. Create a new one.')
  }
  if (key.last_used_at === null || now - key.last_used_at >= LAST_USED_RESOLUTION_MS) {
    await recordUse(deps.db, secretHash, now)
  }
  return {
    organizationId: key.organization_id,
    plan: key.plan,
    environment: key.environment as Environment,
    keyId: key.id,
    capabilities: JSON.parse(key.capabilities) as Capability[],
  }
}

function bearerToken(authorization: string | undefined): string {
  const token = /^bearer +(?<token>\S+) *$/i.exec(authorization ?? '')?.groups?.token
  if (token !== undefined) return token
  throw new ServiceError(
    'missing_api_key',
    'Send an API key with the header `Authorization: Bearer sk_<env>_<secret>`.',
  )
}

function invalidKey(): ServiceError {
  return new ServiceError(
    'invalid_api_key',
    'There is no such API key. Check that you copied all of it and that it belongs to this server.',
  )
}

function hasExpired(expiresAt: number | null, now: number): boolean {
  return expiresAt !== null && expiresAt <= now
}

const findKeys = prepareQuery((db, value: { secretHash: Buffer }) =>
  db
    .selectFrom('api_key_secrets')
    .innerJoin('api_keys', 'api_keys.id', 'api_key_secrets.key_id')
    .innerJoin('organizations', 'organizations.id', 'api_keys.organization_id')
    .select([
      'api_keys.id',
      'api_keys.organization_id',
      'api_keys.environment',
      'api_keys.capabilities',
      'api_keys.expires_at',
      'api_keys.revoked_at',
      'api_key_secrets.expires_at as secret_expires_at',
      'api_key_secrets.last_used_at',
      'organizations.plan',
    ])
    .where('api_key_secrets.secret_hash', '=', value.secretHash),
)

async function recordUse(db: Database, secretHash: Buffer, now: number): Promise<void> {
  await db
    .updateTable('api_key_secrets')
    .set({ last_used_at: now })
    .where('secret_hash', '=', secretHash)
    .where((where) =>
      where.or([
        where('last_used_at', 'is', null),
        where('last_used_at', '<=', now - LAST_USED_RESOLUTION_MS),
      ]),
    )
    .execute()
}
