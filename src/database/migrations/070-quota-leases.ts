import { sql, type Kysely } from 'kysely'

/**
 * Counts permits when they are given instead of charges when they are made: what is not leased is charged. Calls that run
 * while the migration does keep their permits.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('quota_usage').renameColumn('used', 'admitted').execute()
  await createLeases(db)
  await sql`
    insert into quota_leases (organization_id, environment, capability, period, id, deadline)
    select organization_id, environment, capability, period, id, deadline from quota_reservations
  `.execute(db)
  await sql`
    insert into quota_usage (organization_id, environment, capability, period, admitted)
    select organization_id, environment, capability, period, count(*) from quota_leases
    where true group by organization_id, environment, capability, period
    on conflict (organization_id, environment, capability, period)
    do update set admitted = quota_usage.admitted + excluded.admitted
  `.execute(db)
  await db.schema.dropTable('quota_reservations').execute()
}

async function createLeases(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('quota_leases')
    .addColumn('organization_id', 'text', (column) => column.notNull())
    .addColumn('environment', 'text', (column) => column.notNull())
    .addColumn('capability', 'text', (column) => column.notNull())
    .addColumn('period', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('deadline', 'integer', (column) => column.notNull())
    // The leases of a scope lie together: they are counted, and no index is needed besides.
    .addPrimaryKeyConstraint('quota_leases_pk', [
      'organization_id',
      'environment',
      'capability',
      'period',
      'id',
    ])
    .modifyEnd(sql`strict, without rowid`)
    .execute()
}
