import type { Database } from '../database/open-database.js'
import type { Identity } from './identity-provider.js'

type IdentityKey = Pick<Identity, 'issuer' | 'subject'>

/** The account that an identity signs in to. */
export async function findIdentityOwner(db: Database, { issuer, subject }: IdentityKey) {
  const row = await db
    .selectFrom('account_identities')
    .innerJoin('accounts', 'accounts.id', 'account_identities.account_id')
    .select(['accounts.id', 'accounts.sign_in_name', 'accounts.email'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row && { accountId: row.id, signInName: row.sign_in_name, email: row.email }
}

/** Lets an identity sign in to an account; no effect if it can already. */
export async function insertIdentity(
  db: Database,
  { issuer, subject }: IdentityKey,
  accountId: string,
): Promise<void> {
  await db
    .insertInto('account_identities')
    .values({ issuer, subject, account_id: accountId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Disconnects an account from single sign-on. Returns whether it was connected. */
export async function removeIdentities(db: Database, accountId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('account_identities')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
