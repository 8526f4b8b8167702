import { sql, type CreateTableBuilder, type Kysely } from 'kysely'

/** Calls counted by month, and those that run now. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await withScope(db.schema.createTable('quota_usage'))
    .addColumn('period', 'text', (column) => column.notNull())
    .addColumn('used', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('quota_usage_pk', [
      'organization_id',
      'environment',
      'capability',
      'period',
    ])
    .modifyEnd(sql`strict, without rowid`)
    .execute()

  await withScope(
    db.schema
      .createTable('quota_reservations')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull()),
  )
    .addColumn('period', 'text', (column) => column.notNull())
    .addColumn('deadline', 'integer', (column) => column.notNull())
    .modifyEnd(sql`strict, without rowid`)
    .execute()
  await db.schema
    .createIndex('quota_reservations_by_scope')
    .on('quota_reservations')
    .columns(['organization_id', 'environment', 'capability', 'period', 'deadline'])
    .execute()
}

function withScope<Table extends string, Column extends string>(
  table: CreateTableBuilder<Table, Column>,
) {
  return table
    .addColumn('organization_id', 'text', (column) =>
      column.notNull().references('organizations.id'),
    )
    .addColumn('environment', 'text', (column) => column.notNull())
    .addColumn('capability', 'text', (column) => column.notNull())
}
