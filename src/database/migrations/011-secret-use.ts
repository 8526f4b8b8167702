import { sql, type Kysely } from 'kysely'

/** When each secret of a key was used, which tells after a rotation whether the old one is still in use. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('api_key_secrets').addColumn('last_used_at', 'integer').execute()
  await sql`
    update api_key_secrets
    set last_used_at = (select last_used_at from api_keys where api_keys.id = key_id)
    where expires_at is null
  `.execute(db)
  await db.schema.alterTable('api_keys').dropColumn('last_used_at').execute()

  await db.schema
    .createIndex('audit_log_by_subject')
    .on('audit_log')
    .columns(['organization_id', 'subject', 'id'])
    .execute()
}
