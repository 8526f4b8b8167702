import type { Act } from '../organizations/audit-log.js'
import { transactAudited } from '../organizations/transact-audited.js'
import type { AccountDeps } from './account-deps.js'
import { setPasswordHash } from './account.js'
import { auditAccount } from './audit-account.js'
import { issueBrowserToken } from './known-browser.js'
import { generateToken, hashToken, isWellFormedToken } from './link-token.js'
import { hashPassword } from './password.js'
import { endSessions } from './session.js'
import { removeIdentities } from './account-identity.js'
import { removePasskeys } from './passkey.js'

const RESET_LIFETIME_MS = 24 * 60 * 60_000

/** Creates a password reset link, which works once within 24 hours. It replaces an earlier one of the account. */
export async function createPasswordReset(
  deps: AccountDeps,
  accountId: string,
  act: Act,
): Promise<{ token: string; expiresAt: number }> {
  const token = generateToken()
  const expiresAt = act.now + RESET_LIFETIME_MS
  await transactAudited(deps.db, async (transaction) => {
    await transaction.deleteFrom('password_resets').where('account_id', '=', accountId).execute()
    await transaction
      .insertInto('password_resets')
      .values({
        token_hash: hashToken(deps.secret, token),
        account_id: accountId,
        expires_at: expiresAt,
      })
      .execute()
    await auditAccount(
      { ...deps, db: transaction },
      { accountId, action: 'account.password_reset_issued' },
      act,
    )
  })
  return { token, expiresAt }
}

/** The account that an open reset link belongs to. */
export async function findPasswordReset(
  { db, secret }: AccountDeps,
  token: string,
  now: number,
): Promise<{ accountId: string; signInName: string } | undefined> {
  if (!isWellFormedToken(token)) return undefined
  const row = await db
    .selectFrom('password_resets')
    .innerJoin('accounts', 'accounts.id', 'password_resets.account_id')
    .select(['accounts.id', 'accounts.sign_in_name'])
    .where('token_hash', '=', hashToken(secret, token))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row && { accountId: row.id, signInName: row.sign_in_name }
}

/**
 * Sets a new password by a reset link. Everything else that could sign in to the account ends: its sessions, its
 * passkeys and its identities, which may be those of somebody who had the account before.
 * @returns the token for this browser; undefined if the link was used in the meantime
 */
export async function resetPassword(
  deps: AccountDeps,
  { token, accountId, password }: { token: string; accountId: string; password: string },
  act: Act,
): Promise<string | undefined> {
  const passwordHash = await hashPassword(password)
  return transactAudited(deps.db, async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom('password_resets')
      .where('token_hash', '=', hashToken(deps.secret, token))
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) return undefined
    await setPasswordHash(transaction, accountId, passwordHash)
    await endSessions(transaction, { accountId })
    const hadIdentity = await removeIdentities(transaction, accountId)
    const hadPasskey = await removePasskeys(transaction, accountId)
    await auditAccount(
      { ...deps, db: transaction },
      { accountId, action: 'account.password_changed' },
      act,
    )
    if (hadPasskey) {
      const change = { accountId, action: 'account.passkey_removed' } as const
      await auditAccount({ ...deps, db: transaction }, change, act)
    }
    if (hadIdentity) {
      await auditAccount(
        { ...deps, db: transaction },
        { accountId, action: 'account.identity_removed' },
        act,
      )
    }
    return issueBrowserToken(deps.secret, { id: accountId, passwordHash }, act.now)
  })
}
