import { transactDurably } from '../database/transact-durably.js'
import type { Act } from '../organizations/audit-log.js'
import { setPasswordHash } from './account.js'
import { auditAccount } from './audit-account.js'
import type { AccessDeps } from './invitation.js'
import { generateToken, hashToken, isWellFormedToken } from './link-token.js'
import { hashPassword } from './password.js'
import { endSessions } from './session.js'

const RESET_LIFETIME_MS = 24 * 60 * 60_000

/** A link for a new password, which works once within 24 hours; an earlier one of the account ends. */
export async function createPasswordReset(
  { db, secret }: AccessDeps,
  accountId: string,
  act: Act,
): Promise<{ token: string; expiresAt: number }> {
  const token = generateToken()
  const expiresAt = act.now + RESET_LIFETIME_MS
  await transactDurably(db, async (transaction) => {
    await transaction.deleteFrom('password_resets').where('account_id', '=', accountId).execute()
    await transaction
      .insertInto('password_resets')
      .values({
        token_hash: hashToken(secret, token),
        account_id: accountId,
        expires_at: expiresAt,
      })
      .execute()
    await auditAccount(transaction, { accountId, action: 'account.password_reset_issued' }, act)
  })
  return { token, expiresAt }
}

/** Whose password an open link sets. */
export async function findPasswordReset(
  { db, secret }: AccessDeps,
  token: string,
  now: number,
): Promise<{ accountId: string; email: string } | undefined> {
  if (!isWellFormedToken(token)) return undefined
  const row = await db
    .selectFrom('password_resets')
    .innerJoin('accounts', 'accounts.id', 'password_resets.account_id')
    .select(['accounts.id', 'accounts.email'])
    .where('token_hash', '=', hashToken(secret, token))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row && { accountId: row.id, email: row.email }
}

/**
 * Sets the password that a link allows to set, and ends all sessions of the account.
 * @returns false when the link was used in the meantime
 */
export async function resetPassword(
  { db, secret }: AccessDeps,
  { token, accountId, password }: { token: string; accountId: string; password: string },
  act: Act,
): Promise<boolean> {
  const passwordHash = await hashPassword(password)
  return transactDurably(db, async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom('password_resets')
      .where('token_hash', '=', hashToken(secret, token))
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) return false
    await setPasswordHash(transaction, accountId, passwordHash)
    await endSessions(transaction, { accountId })
    await auditAccount(transaction, { accountId, action: 'account.password_changed' }, act)
    return true
  })
}
