import { sql, type Kysely } from 'kysely'

/**
 * A chain of keyed hashes over the audit log. It is apart from the entries, so that it stays whole when the entries of an
 * organisation are erased. Entries so far are chained at the next start, since the key is not in the database.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_chain')
    .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('entry_hash', 'blob', (column) => column.notNull())
    .addColumn('hash', 'blob', (column) => column.notNull())
    .addColumn('erasure', 'blob')
    .modifyEnd(sql`strict`)
    .execute()
  await db.schema
    .createIndex('audit_log_by_action')
    .on('audit_log')
    .columns(['organization_id', 'action', 'at'])
    .execute()
}
