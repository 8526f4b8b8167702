import { Migrator, type Kysely, type Migration } from 'kysely'
import { OperatorError } from '../core/operator-error.js'

/** The database cannot be brought to this program's schema; `message` says what to do. */
export class MigrationError extends OperatorError {}

/**
 * Brings the schema up to date. Each migration commits by itself together with its entry in Kysely's table, so a
 * failing one leaves the database as the one before left it; two processes that start at once take turns.
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
      ? `The database cannot be migrated; it may have been written by a newer version of this program (${reason}).`
      : `Migration ${name} failed and was undone; the database is as it was before it (${reason}).`,
    { cause },
  )
}
