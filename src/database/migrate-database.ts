import { Migrator, type Kysely, type Migration } from 'kysely'
import { OperatorError } from '../core/operator-error.js'
import { StorageError } from './storage-failure.js'

/** The database cannot be migrated to this version's schema; `message` says what to do. */
export class MigrationError extends OperatorError {}

/**
 * Brings the schema up to date. Each migration commits on its own, together with its entry in Kysely's table: one that
 * fails leaves the database in the state of the previous one. Processes that start at the same time take turns.
 * @throws MigrationError, StorageError
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

/**
 * Refuses a database whose schema is not that of this version.
 * @throws MigrationError, StorageError
 */
export async function requireMigrated(
  db: Kysely<never>,
  migrations: Record<string, Migration>,
): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations) },
  })
  const pending = (await migrator.getMigrations()).filter(({ executedAt }) => !executedAt)
  if (pending.length === 0) return
  const names = pending.map(({ name }) => name).join(', ')
  throw new MigrationError(
    `The database is not up to date (missing: ${names}), and MIGRATIONS is \`never\`. Run the same version once with MIGRATIONS=only.`,
  )
}

/** @param what - the migrations that this version does not know */
export function newerVersionError(what: string, options?: ErrorOptions): MigrationError {
  return new MigrationError(
    `A newer version of this program has written the database (${what}). Install that version again, or restore a backup from before the upgrade.`,
    options,
  )
}

/** Kysely reports migrations that it does not know this way. */
const UNKNOWN_MIGRATION = /^corrupted migrations: previously executed migration .* is missing/

function explain(cause: unknown, name: string | undefined): unknown {
  if (cause instanceof StorageError) return cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  if (UNKNOWN_MIGRATION.test(reason)) {
    return newerVersionError(reason, { cause })
  }
  const what =
    name === undefined
      ? 'The database cannot be migrated'
      : `Migration ${name} failed and was rolled back`
  return new MigrationError(`${what} (${reason}).`, { cause })
}
