import type { Kysely } from 'kysely'

/** Whose answer is kept, so that an organisation can be deleted; older records have none and end within a day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('idempotency_records').addColumn('organization_id', 'text').execute()
}
