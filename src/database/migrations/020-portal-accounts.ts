import { sql, type Kysely } from 'kysely'

/** People who may sign in to the portal, where they belong, and how they get in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createAccounts(db)
  await createLinks(db)
  await createSessions(db)
}

async function createAccounts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('accounts')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('password_hash', 'text')
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('last_sign_in_at', 'integer')
    .modifyEnd(sql`strict`)
    .execute()

  await db.schema
    .createTable('account_identities')
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addPrimaryKeyConstraint('account_identities_pk', ['issuer', 'subject'])
    .modifyEnd(sql`strict, without rowid`)
    .execute()
  await db.schema
    .createIndex('account_identities_by_account')
    .on('account_identities')
    .column('account_id')
    .execute()

  await db.schema
    .createTable('memberships')
    .addColumn('organization_id', 'text', (column) =>
      column.notNull().references('organizations.id').onDelete('cascade'),
    )
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('role', 'text', (column) =>
      column.notNull().check(sql`role in ('owner', 'developer', 'viewer')`),
    )
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('memberships_pk', ['organization_id', 'account_id'])
    .modifyEnd(sql`strict, without rowid`)
    .execute()
  await db.schema
    .createIndex('memberships_by_account')
    .on('memberships')
    .column('account_id')
    .execute()
}

async function createLinks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('invitations')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('token_hash', 'blob', (column) => column.notNull().unique())
    .addColumn('organization_id', 'text', (column) =>
      column.notNull().references('organizations.id').onDelete('cascade'),
    )
    .addColumn('role', 'text', (column) =>
      column.notNull().check(sql`role in ('owner', 'developer', 'viewer')`),
    )
    .addColumn('email', 'text')
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('expires_at', 'integer', (column) => column.notNull())
    .modifyEnd(sql`strict`)
    .execute()
  await db.schema
    .createIndex('invitations_by_organization')
    .on('invitations')
    .columns(['organization_id', 'created_at'])
    .execute()
  await db.schema.createIndex('invitations_by_email').on('invitations').column('email').execute()

  await db.schema
    .createTable('password_resets')
    .addColumn('token_hash', 'blob', (column) => column.primaryKey().notNull())
    .addColumn('account_id', 'text', (column) =>
      column.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('expires_at', 'integer', (column) => column.notNull())
    .modifyEnd(sql`strict, without rowid`)
    .execute()
  await db.schema
    .createIndex('password_resets_by_account')
    .on('password_resets')
    .column('account_id')
    .execute()
}

async function createSessions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('portal_sessions')
    .addColumn('token_hash', 'blob', (column) => column.primaryKey().notNull())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('organization_id', 'text', (column) => column.notNull())
    .addColumn('device', 'text', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('last_seen_at', 'integer', (column) => column.notNull())
    // Who is removed from an organisation is out at once, by whatever way the membership ends.
    .addForeignKeyConstraint(
      'portal_sessions_membership_fk',
      ['organization_id', 'account_id'],
      'memberships',
      ['organization_id', 'account_id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .modifyEnd(sql`strict, without rowid`)
    .execute()
  await db.schema
    .createIndex('portal_sessions_by_membership')
    .on('portal_sessions')
    .columns(['organization_id', 'account_id'])
    .execute()
  await db.schema
    .createIndex('portal_sessions_by_account')
    .on('portal_sessions')
    .column('account_id')
    .execute()

  await db.schema
    .createTable('sign_in_attempts')
    .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('subject', 'blob', (column) => column.notNull())
    .addColumn('at', 'integer', (column) => column.notNull())
    .modifyEnd(sql`strict`)
    .execute()
  await db.schema
    .createIndex('sign_in_attempts_by_subject')
    .on('sign_in_attempts')
    .columns(['subject', 'at'])
    .execute()
  await db.schema
    .createIndex('sign_in_attempts_by_time')
    .on('sign_in_attempts')
    .column('at')
    .execute()
}
