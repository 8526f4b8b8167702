import { sql, type Kysely } from 'kysely'

/** Organisations, their API keys, the audit log and what ties the database to its server secret. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('organizations')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('plan', 'text', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .modifyEnd(sql`strict`)
    .execute()

  await db.schema
    .createTable('api_keys')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('organization_id', 'text', (column) =>
      column.notNull().references('organizations.id'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('environment', 'text', (column) =>
      column.notNull().check(sql`environment in ('test', 'live')`),
    )
    .addColumn('capabilities', 'text', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('last_used_at', 'integer')
    .addColumn('expires_at', 'integer')
    .addColumn('revoked_at', 'integer')
    .modifyEnd(sql`strict`)
    .execute()
  await db.schema
    .createIndex('api_keys_by_organization')
    .on('api_keys')
    .columns(['organization_id', 'created_at'])
    .execute()

  await db.schema
    .createTable('api_key_secrets')
    .addColumn('secret_hash', 'blob', (column) => column.primaryKey().notNull())
    .addColumn('key_id', 'text', (column) => column.notNull().references('api_keys.id'))
    .addColumn('prefix', 'text', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('expires_at', 'integer')
    .modifyEnd(sql`strict, without rowid`)
    .execute()
  await db.schema
    .createIndex('api_key_secrets_by_key')
    .on('api_key_secrets')
    .columns(['key_id', 'created_at'])
    .execute()

  await db.schema
    .createTable('audit_log')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('at', 'integer', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('organization_id', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('details', 'text', (column) => column.notNull())
    .modifyEnd(sql`strict`)
    .execute()
  await db.schema
    .createIndex('audit_log_by_organization')
    .on('audit_log')
    .columns(['organization_id', 'id'])
    .execute()

  await db.schema
    .createTable('service_metadata')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('value', 'blob', (column) => column.notNull())
    .modifyEnd(sql`strict, without rowid`)
    .execute()
}
