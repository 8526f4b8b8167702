import { sql, type Kysely } from 'kysely'

/** Passkeys (WebAuthn credentials) of portal accounts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('account_passkeys')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('public_key', 'blob', (column) => column.notNull())
    .addColumn('counter', 'integer', (column) => column.notNull())
    .addColumn('device', 'text', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('last_used_at', 'integer')
    .modifyEnd(sql`strict, without rowid`)
    .execute()
  await db.schema
    .createIndex('account_passkeys_by_account')
    .on('account_passkeys')
    .column('account_id')
    .execute()
}
