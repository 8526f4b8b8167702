import { sql, type Kysely } from 'kysely'

/** Answers kept for a day, so that a retried request gets the first one again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('idempotency_records')
    .addColumn('key_hash', 'blob', (column) => column.primaryKey().notNull())
    .addColumn('body_hash', 'blob', (column) => column.notNull())
    .addColumn('execution_id', 'text', (column) => column.notNull())
    .addColumn('deadline', 'integer', (column) => column.notNull())
    .addColumn('expires_at', 'integer', (column) => column.notNull())
    .addColumn('answer', 'blob')
    .modifyEnd(sql`strict`)
    .execute()
  await db.schema
    .createIndex('idempotency_records_by_expiry')
    .on('idempotency_records')
    .column('expires_at')
    .execute()
}
