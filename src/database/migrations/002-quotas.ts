import { sql, type CreateTableBuilder, type Kysely } from 'kysely'

/** Calls counted by month, and those that run now. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await withScope(db.schema.createTable('quota_usage'))
    .addColumn('used', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('quota_usage_pk', [
      'organization_id',
      'environment',
      'capability',
      'period',
    ])
    .modifyEnd(sql`strict, without rowid`)
    .execute()

  await withScope(db.schema.createTable('quota_reservations'))
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('deadline', 'integer', (column) => column.notNull())
    // The calls of a scope lie together: one page to read and to write for each, and no index besides.
    .addPrimaryKeyConstraint('quota_reservations_pk', [
      'organization_id',
      'environment',
      'capability',
      'period',
      'id',
    ])
    .modifyEnd(sql`strict, without rowid`)
    .execute()
}

function withScope(table: CreateTableBuilder<string>) {
  return table
    .addColumn('organization_id', 'text', (column) =>
      column.notNull().references('organizations.id'),
    )
    .addColumn('environment', 'text', (column) => column.notNull())
    .addColumn('capability', 'text', (column) => column.notNull())
    .addColumn('period', 'text', (column) => column.notNull())
}
