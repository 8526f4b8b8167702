import type { Database } from '../database/open-database.js'
import { transactDurably } from '../database/transact-durably.js'
import { AdminError } from '../core/admin-error.js'
import { apiKeyPrefix, generateApiKey, hashApiKey } from './api-key-secret.js'
import { recordAudit, type Act } from './audit-log.js'
import { CAPABILITIES, type Capability, type Environment } from './capability.js'
import { parseDisplayName } from './display-name.js'
import { newId } from './new-id.js'
import type { ServerSecret } from './server-secret.js'

const MAX_KEYS_IN_USE = 100

export interface KeyDeps {
  db: Database
  secret: ServerSecret
}

/** A key of one organisation: whoever names the key must also name whose it is. */
export interface KeyReference {
  organizationId: string
  keyId: string
}

export interface NewKey {
  organizationId: string
  /** A `newKeyId()` known before, so that a request sent twice creates one key. */
  keyId?: string
  name: string
  environment: Environment
  capabilities: readonly Capability[]
  /** Milliseconds since the epoch; the key is refused from then on. Defaults to never. */
  expiresAt?: number | undefined
}

/** A secret is in the clear only here and once; `apiKey` is never stored. */
export interface IssuedKey {
  keyId: string
  apiKey: string
}

/**
 * Creates a key and gives its secret.
 * @throws AdminError `not_found` without such an organisation, `invalid`, `not_possible` beyond 100 keys in use,
 *   `changed_meanwhile` when there is a key of that id already
 */
export async function createKey(deps: KeyDeps, input: NewKey, act: Act): Promise<IssuedKey> {
  return transactDurably(deps.db, (transaction) =>
    insertKey({ ...deps, db: transaction }, input, act),
  )
}

/** `createKey` as a part of a larger transaction, which is `deps.db`. */
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
  await requireRoom(deps.db, input.organizationId, act.now)
  const { numInsertedOrUpdatedRows } = await deps.db
    .insertInto('api_keys')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n) {
    throw new AdminError('changed_meanwhile', 'This key was created already.')
  }
  const apiKey = generateApiKey(input.environment)
  await insertSecret(deps, { keyId, apiKey, now: act.now })
  await recordAudit(
    deps.db,
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

/** An identifier for a key to be created. */
export function newKeyId(): string {
  return newId('key')
}

/** Stores the hash of a key's new current secret. */
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
 * Ends a key with all its secrets, for good and at once. Revoking it again changes nothing.
 * @throws AdminError `not_found`
 */
export async function revokeKey(db: Database, key: KeyReference, act: Act): Promise<void> {
  await transactDurably(db, async (transaction) => {
    const { revoked_at } = await requireKey(transaction, key)
    if (revoked_at !== null) return
    await transaction
      .updateTable('api_keys')
      .set({ revoked_at: act.now })
      .where('id', '=', key.keyId)
      .execute()
    await recordAudit(
      transaction,
      { action: 'key.revoked', organizationId: key.organizationId, subject: key.keyId },
      act,
    )
  })
}

/** @throws AdminError `not_found` when the organisation has no such key */
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
 * A key together with the organisation that has it.
 * @throws AdminError `not_found`
 */
export async function getKeyReference(db: Database, keyId: string): Promise<KeyReference> {
  const row = await db
    .selectFrom('api_keys')
    .select('organization_id')
    .where('id', '=', keyId)
    .executeTakeFirst()
  if (!row) throw new AdminError('not_found', 'There is no such key. `key list` shows all.')
  return { organizationId: row.organization_id, keyId }
}

async function requireRoom(db: Database, organizationId: string, now: number): Promise<void> {
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
  if ((organization.keys ?? 0) >= MAX_KEYS_IN_USE) {
    throw new AdminError(
      'not_possible',
      `An organisation has at most ${MAX_KEYS_IN_USE} keys. Revoke one first.`,
    )
  }
}

function parseCapabilities(capabilities: readonly Capability[]): Capability[] {
  const chosen = CAPABILITIES.filter((capability) => capabilities.includes(capability))
  if (chosen.length === 0 || chosen.length !== new Set(capabilities).size) {
    throw new AdminError('invalid', `A key needs one or more of: ${CAPABILITIES.join(', ')}.`)
  }
  return chosen
}

function parseExpiry(expiresAt: number | undefined, now: number): number | null {
  if (expiresAt === undefined) return null
  if (expiresAt > now) return expiresAt
  throw new AdminError('invalid', 'A key must expire in the future.')
}
