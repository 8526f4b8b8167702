import type { Database } from '../database/open-database.js'
import { removeIdentities } from './account-identity.js'
import { removePasskeys } from './passkey.js'

/**
 * Records that an account's address was verified, within the transaction `db`. Identities and passkeys that were
 * connected before somebody proved to own the address are removed.
 * @returns false if another account signs in with this address
 */
export async function verifyAddress(
  db: Database,
  { accountId, email }: { accountId: string; email: string },
): Promise<boolean> {
  const other = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '!=', accountId)
    .where((where) => where.or([where('sign_in_name', '=', email), where('email', '=', email)]))
    .executeTakeFirst()
  if (other) return false
  await removeIdentities(db, accountId)
  await removePasskeys(db, accountId)
  await db.updateTable('accounts').set({ email }).where('id', '=', accountId).execute()
  return true
}
