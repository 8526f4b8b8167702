import type { Database } from '../database/open-database.js'
import { AdminError } from '../core/admin-error.js'
import type { Act } from '../organizations/audit-log.js'
import { transactAudited } from '../organizations/transact-audited.js'
import type { AccountDeps } from './account-deps.js'
import { auditAccount } from './audit-account.js'

const MAX_PASSKEYS = 10

export interface PasskeySummary {
  id: string
  /** The browser in which it was added, such as `Firefox on Windows`. */
  device: string
  createdAt: number
  lastUsedAt: number | null
}

/** A WebAuthn credential as the authenticator created it. */
export interface NewPasskey {
  /** Base64url. */
  id: string
  publicKey: Uint8Array
  counter: number
  device: string
}

/** The passkeys of an account, oldest first. */
export async function listPasskeys(db: Database, accountId: string): Promise<PasskeySummary[]> {
  const rows = await db
    .selectFrom('account_passkeys')
    .select(['id', 'device', 'created_at', 'last_used_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .limit(MAX_PASSKEYS)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    device: row.device,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }))
}

/** @throws AdminError `not_possible` beyond ten passkeys; `changed_meanwhile` if it exists */
export async function addPasskey(
  deps: AccountDeps,
  { accountId, ...passkey }: NewPasskey & { accountId: string },
  act: Act,
): Promise<void> {
  await transactAudited(deps.db, async (transaction) => {
    if ((await listPasskeys(transaction, accountId)).length >= MAX_PASSKEYS) {
      throw new AdminError('not_possible', 'An account has at most ten passkeys. Remove one first.')
    }
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('account_passkeys')
      .values({
        id: passkey.id,
        account_id: accountId,
        public_key: Buffer.from(passkey.publicKey),
        counter: passkey.counter,
        device: passkey.device,
        created_at: act.now,
        last_used_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows === 0n) {
      throw new AdminError('changed_meanwhile', 'This passkey was added before.')
    }
    const change = { accountId, action: 'account.passkey_added' } as const
    await auditAccount({ ...deps, db: transaction }, change, act)
  })
}

/** @throws AdminError `not_found` if the account has no such passkey */
export async function removePasskey(
  deps: AccountDeps,
  { accountId, id }: { accountId: string; id: string },
  act: Act,
): Promise<void> {
  await transactAudited(deps.db, async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom('account_passkeys')
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) throw new AdminError('not_found', 'There is no such passkey.')
    const change = { accountId, action: 'account.passkey_removed' } as const
    await auditAccount({ ...deps, db: transaction }, change, act)
  })
}

/** Removes all passkeys of an account within the transaction `db`. Returns whether it had any. */
export async function removePasskeys(db: Database, accountId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('account_passkeys')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export async function findPasskey(db: Database, id: string) {
  return db.selectFrom('account_passkeys').selectAll().where('id', '=', id).executeTakeFirst()
}

/**
 * Records that a passkey signed the challenge issued at `issuedAt`.
 * @returns false if it has signed that challenge, or a later one, before
 */
export async function recordPasskeyUse(
  db: Database,
  { id, counter, issuedAt, now }: { id: string; counter: number; issuedAt: number; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('account_passkeys')
    .set({ counter, last_used_at: now })
    .where('id', '=', id)
    .where((where) =>
      where.or([where('last_used_at', 'is', null), where('last_used_at', '<', issuedAt)]),
    )
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
