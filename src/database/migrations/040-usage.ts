import { sql, type Kysely } from 'kysely'

/** Requests by hour and by day, from which the portal shows what was asked of the service. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, step] of Object.entries({ usage_hours: 'hour', usage_days: 'day' })) {
    await db.schema
      .createTable(table)
      .addColumn('scope_id', 'integer', (column) => column.notNull().references('event_scopes.id'))
      .addColumn(step, 'integer', (column) => column.notNull())
      .addColumn('capability', 'text', (column) => column.notNull())
      .addColumn('outcome', 'text', (column) => column.notNull())
      .addColumn('latency_bucket', 'integer', (column) => column.notNull())
      .addColumn('requests', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint(`${table}_pk`, [
        'scope_id',
        step,
        'capability',
        'outcome',
        'latency_bucket',
      ])
      .modifyEnd(sql`strict, without rowid`)
      .execute()
  }
}
