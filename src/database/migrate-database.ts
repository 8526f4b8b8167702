import { Migrator, type Kysely, type Migration } from 'kysely'
import { OperatorError } from '../core/operator-error.js'

/** The database cannot be migrated to this version's schema; `message` says what to do. */
export class MigrationError extends OperatorError {}

/**
 * Brings the schema up to date. Each migration commits on its own, together with its entry in Kysely's table: one that
 * fails leaves the database in the state of the previous one. Processes that start at the same time take turns.
 * @throws MigrationError
 */
export async function migrateDatabase(
  db: Kysely<never>,
  migrations: Record<string, Migration>,
): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations) },
  })
  for (;;) {
    const { error, results } = await migrator.migrateUp()
    if (error !== undefined) throw explain(error, results?.[0]?.migrationName)
    if (!results?.length) return
  }
}

function explain(cause: unknown, name: string | undefined): MigrationError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new MigrationError(
    name === undefined
      ? `The database cannot be migrated; a newer version of this program may have written it (${reason}).`
      : `Migration ${name} failed and was rolled back (${reason}).`,
    { cause },
  )
}
