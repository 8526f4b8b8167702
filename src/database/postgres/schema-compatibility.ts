import { sql, type Kysely, type Migration } from 'kysely'
import { newerVersionError } from '../migrate-database.js'
import type { Tables } from '../schema.js'

/** Name of the `service_metadata` entry with the oldest schema whose programs can use the database. */
const NAME = 'oldest_compatible_schema'

export interface PostgresMigration extends Migration {
  /**
   * The migration that a program must know at least to use the database after this one. Absent: this one, so programs
   * that do not know it refuse the database.
   */
  oldestCompatible?: string
}

/** Migrations that record, each in its own transaction, which programs can use the database from then on. */
export function withCompatibility(
  migrations: Record<string, PostgresMigration>,
): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(migrations).map(([name, migration]) => [
      name,
      {
        up: async (db: Kysely<Tables>) => {
          await migration.up(db)
          await recordOldestCompatible(db, migration.oldestCompatible ?? name)
        },
      },
    ]),
  )
}

/**
 * Whether a newer program has migrated the database, which one with these migrations can use.
 * @throws MigrationError if it cannot
 */
export async function isNewer(
  db: Kysely<Tables>,
  migrations: Record<string, PostgresMigration>,
): Promise<boolean> {
  const unknown = (await listApplied(db)).filter((name) => !Object.hasOwn(migrations, name))
  if (unknown.length === 0) return false
  const oldest = await findOldestCompatible(db)
  if (oldest !== undefined && Object.hasOwn(migrations, oldest)) return true
  throw newerVersionError(unknown.join(', '))
}

/** Names of the migrations that the database has; none before the first. */
export async function listApplied(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null as exists
  `.execute(db)
  if (!rows[0]?.exists) return []
  const applied = await sql<{ name: string }>`
    select name from kysely_migration order by name
  `.execute(db)
  return applied.rows.map(({ name }) => name)
}

/** A later migration never makes programs compatible that an earlier one has excluded. */
async function recordOldestCompatible(db: Kysely<Tables>, name: string): Promise<void> {
  const before = await findOldestCompatible(db)
  if (before !== undefined && before > name) return
  const value = Buffer.from(name)
  await db
    .insertInto('service_metadata')
    .values({ name: NAME, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

async function findOldestCompatible(db: Kysely<Tables>): Promise<string | undefined> {
  const row = await db
    .selectFrom('service_metadata')
    .select('value')
    .where('name', '=', NAME)
    .executeTakeFirst()
  return row?.value.toString()
}
