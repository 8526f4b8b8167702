import { sql, type Kysely } from 'kysely'

/**
 * Separates the name that an account signs in with from its verified e-mail address. Nothing recorded so far says which
 * addresses were verified, so no account has one after this; everybody signs in as before.
 *
 * An identity beside a password may have been connected by somebody who had the account before a password reset, so it
 * is removed. The identity of an account without a password is the only way in that this account ever had; it stays.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table accounts rename column email to sign_in_name`.execute(db)
  await db.schema.alterTable('accounts').addColumn('email', 'text').execute()
  await db.schema.createIndex('accounts_by_email').on('accounts').column('email').unique().execute()
  await sql`
    delete from account_identities
    where account_id in (select id from accounts where password_hash is not null)
  `.execute(db)
}
