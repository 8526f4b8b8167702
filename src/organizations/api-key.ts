import type { Database } from '../database/open-database.js'
import { AdminError } from '../core/admin-error.js'
import { apiKeyPrefix, generateApiKey, hashApiKey } from './api-key-secret.js'
import { recordAudit, type Act } from './audit-log.js'
import { CAPABILITIES, type Capability, type Environment } from './capability.js'
import { parseDisplayName } from './display-name.js'
import { newId } from './new-id.js'
import type { ServerSecret } from './server-secret.js'
import { transactAudited } from './transact-audited.js'

const MAX_ACTIVE_KEYS = 100

export interface KeyDeps {
  db: Database
  secret: ServerSecret
}

/** A key and its organisation, so that no caller can change the key of another organisation. */
export interface KeyReference {
  organizationId: string
  keyId: string
}

export interface NewKey {
  organizationId: string
  /** A `newKeyId()` generated beforehand, so that a form submitted twice creates only one key. */
  keyId?: string
  name: string
  environment: Environment
  capabilities: readonly Capability[]
  /** Milliseconds since the epoch. Default: the key never expires. */
  expiresAt?: number | undefined
}

/** The only place where a secret is in plain text: `apiKey` is never stored. */
export interface IssuedKey {
  keyId: string
  apiKey: string
}

/**
 * Creates a key and returns its secret.
 * @throws AdminError `not_found` if the organisation does not exist; `invalid`; `not_possible` beyond 100 active keys;
 *   `changed_meanwhile` if a key with that id exists
 */
export async function createKey(deps: KeyDeps, input: NewKey, act: Act): Promise<IssuedKey> {
  return transactAudited(deps.db, (transaction) =>
    insertKey({ ...deps, db: transaction }, input, act),
  )
}

/** Like `createKey`, within the transaction `deps.db`. */
export async function insertKey(deps: KeyDeps, input: NewKey, act: Act): Promise<IssuedKey> {
  const { keyId = newKeyId() } = input
  const capabilities = parseCapabilities(input.capabilities)
  const row = {
    id: keyId,
    organization_id: input.organizationId,
    name: parseDisplayName('name of a key', input.name),
    environment: input.environment,
    capabilities: JSON.stringify(capabilities),
    created_at: act.now,
    expires_at: parseExpiry(input.expiresAt, act.now),
  }
  await requireFreeKey(deps.db, input.organizationId, act.now)
  const { numInsertedOrUpdatedRows } = await deps.db
    .insertInto('api_keys')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n) {
    throw new AdminError('changed_meanwhile', 'This key has already been created.')
  }
  const apiKey = generateApiKey(input.environment)
  await insertSecret(deps, { keyId, apiKey, now: act.now })
  await recordAudit(
    deps,
    {
      action: 'key.created',
      organizationId: input.organizationId,
      subject: keyId,
      details: { environment: input.environment, capabilities, expires_at: row.expires_at },
    },
    act,
  )
  return { keyId, apiKey }
}

/** Generates an id for a key. */
export function newKeyId(): string {
  return newId('key')
}

/** Stores the hash of a new secret, which becomes the key's current secret. */
export async function insertSecret(
  deps: KeyDeps,
  input: { keyId: string; apiKey: string; now: number },
): Promise<void> {
  await deps.db
    .insertInto('api_key_secrets')
    .values({
      secret_hash: hashApiKey(deps.secret, input.apiKey),
      key_id: input.keyId,
      prefix: apiKeyPrefix(input.apiKey),
      created_at: input.now,
    })
    .execute()
}

/**
 * Permanently revokes a key with all its secrets, effective immediately. Revoking it again has no effect.
 * @throws AdminError `not_found`
 */
export async function revokeKey(deps: KeyDeps, key: KeyReference, act: Act): Promise<void> {
  await transactAudited(deps.db, async (transaction) => {
    const { revoked_at } = await requireKey(transaction, key)
    if (revoked_at !== null) return
    await transaction
      .updateTable('api_keys')
      .set({ revoked_at: act.now })
      .where('id', '=', key.keyId)
      .execute()
    await recordAudit(
      { ...deps, db: transaction },
      { action: 'key.revoked', organizationId: key.organizationId, subject: key.keyId },
      act,
    )
  })
}

/**
 * Returns the state of a key.
 * @throws AdminError `not_found` if the organisation has no such key
 */
export async function requireKey(db: Database, key: KeyReference) {
  const row = await db
    .selectFrom('api_keys')
    .select(['environment', 'expires_at', 'revoked_at'])
    .where('id', '=', key.keyId)
    .where('organization_id', '=', key.organizationId)
    .executeTakeFirst()
  if (!row) throw new AdminError('not_found', 'There is no such key.')
  return { ...row, environment: row.environment as Environment }
}

/**
 * Returns a key id together with its organisation.
 * @throws AdminError `not_found`
 */
export async function getKeyReference(db: Database, keyId: string): Promise<KeyReference> {
  const row = await db
    .selectFrom('api_keys')
    .select('organization_id')
    .where('id', '=', keyId)
    .executeTakeFirst()
  if (!row) throw new AdminError('not_found', 'There is no such key. `key list` lists them.')
  return { organizationId: row.organization_id, keyId }
}

async function requireFreeKey(db: Database, organizationId: string, now: number): Promise<void> {
  const organization = await db
    .selectFrom('organizations')
    .select((select) =>
      select
        .selectFrom('api_keys')
        .select((count) => count.fn.countAll<number>().as('keys'))
        .where('organization_id', '=', organizationId)
        .where('revoked_at', 'is', null)
        .where((where) =>
          where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]),
        )
        .as('keys'),
    )
    .where('id', '=', organizationId)
    .executeTakeFirst()
  if (!organization) throw new AdminError('not_found', 'There is no such organisation.')
  if ((organization.keys ?? 0) >= MAX_ACTIVE_KEYS) {
    throw new AdminError(
      'not_possible',
      `An organisation can have at most ${MAX_ACTIVE_KEYS} active keys. Revoke one first.`,
    )
  }
}

function parseCapabilities(capabilities: readonly Capability[]): Capability[] {
  const chosen = CAPABILITIES.filter((capability) => capabilities.includes(capability))
  if (chosen.length === 0 || chosen.length !== new Set(capabilities).size) {
    throw new AdminError(
      'invalid',
      `A key needs at least one of these capabilities: ${CAPABILITIES.join(', ')}.`,
    )
  }
  return chosen
}

function parseExpiry(expiresAt: number | undefined, now: number): number | null {
  if (expiresAt === undefined) return null
  if (expiresAt > now) return expiresAt
  throw new AdminError('invalid', 'The expiry of a key must be in the future.')
}
