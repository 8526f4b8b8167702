import type { Database } from '../database/open-database.js'
import { AdminError } from '../core/admin-error.js'
import {
  insertSecret,
  requireKey,
  type IssuedKey,
  type KeyDeps,
  type KeyReference,
} from './api-key.js'
import { generateApiKey } from './api-key-secret.js'
import { recordAudit, type Act } from './audit-log.js'
import { transactAudited } from './transact-audited.js'

/** How long the old secret stays valid after a rotation. */
const GRACE_MS = 24 * 60 * 60 * 1_000

export interface SecretToRotate extends KeyReference {
  /** Creation time of the secret to replace, in milliseconds since the epoch. Default: the current secret. */
  secretCreatedAt?: number | undefined
}

/**
 * Issues a new secret for a key; the old one stays valid for 24 hours. At most two secrets are valid at a time: rotating
 * again within the grace period invalidates the oldest immediately.
 * @throws AdminError `not_found`; `not_possible` for a revoked or expired key; `changed_meanwhile` if the secret to
 *   replace is no longer the current one
 */
export async function rotateKey(deps: KeyDeps, key: SecretToRotate, act: Act): Promise<IssuedKey> {
  return transactAudited(deps.db, async (transaction) => {
    const { environment, expires_at, revoked_at } = await requireKey(transaction, key)
    if (revoked_at !== null || (expires_at !== null && expires_at <= act.now)) {
      throw new AdminError('not_possible', 'This key has expired or was revoked. Create a new one.')
    }
    await endSecretsInGrace(transaction, key.keyId, act.now)
    let current = transaction
      .updateTable('api_key_secrets')
      .set({ expires_at: act.now + GRACE_MS })
      .where('key_id', '=', key.keyId)
      .where('expires_at', 'is', null)
    if (key.secretCreatedAt !== undefined) {
      current = current.where('created_at', '=', key.secretCreatedAt)
    }
    const { numUpdatedRows } = await current.executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) {
      throw new AdminError(
        'changed_meanwhile',
        'This key was rotated in the meantime. Look at it again.',
      )
    }
    const apiKey = generateApiKey(environment)
    await insertSecret({ ...deps, db: transaction }, { keyId: key.keyId, apiKey, now: act.now })
    await recordAudit(
      { ...deps, db: transaction },
      {
        action: 'key.rotated',
        organizationId: key.organizationId,
        subject: key.keyId,
        details: { grace_ends_at: act.now + GRACE_MS },
      },
      act,
    )
    return { keyId: key.keyId, apiKey }
  })
}

/**
 * Ends the grace period of a rotated key, so that only its current secret is valid.
 * @throws AdminError `not_found`; `not_possible` if no old secret is valid
 */
export async function endGrace(deps: KeyDeps, key: KeyReference, act: Act): Promise<void> {
  await transactAudited(deps.db, async (transaction) => {
    await requireKey(transaction, key)
    if (!(await endSecretsInGrace(transaction, key.keyId, act.now))) {
      throw new AdminError('not_possible', 'This key has no old secret that is still valid.')
    }
    await recordAudit(
      { ...deps, db: transaction },
      { action: 'key.grace_ended', organizationId: key.organizationId, subject: key.keyId },
      act,
    )
  })
}

async function endSecretsInGrace(db: Database, keyId: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('api_key_secrets')
    .set({ expires_at: now })
    .where('key_id', '=', keyId)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
