import { Kysely, PostgresDialect } from 'kysely'
import { migrateDatabase, requireMigrated } from '../migrate-database.js'
import type { Tables } from '../schema.js'
import type { StorageWatch } from '../sqlite-connection.js'
import { POSTGRES_MIGRATIONS } from './migrations/postgres-migrations.js'
import type { PostgresSettings } from '../../config/postgres-settings.js'
import { isNewer, withCompatibility, type PostgresMigration } from './schema-compatibility.js'
import { refuseUnfinishedTransfer } from './transfer-state.js'
import { WatchedPool, type Pool } from './watched-pool.js'

/**
 * Opens a PostgreSQL database and migrates it. Processes that start at the same time take turns at an advisory lock.
 * Queries throw a StorageError when the database cannot be used.
 * @throws MigrationError, StorageError; UnfinishedTransferError if it holds only a part of an installation
 */
export async function openPostgres(
  settings: PostgresSettings,
  watch?: StorageWatch,
  onPool?: (pool: Pool) => void,
): Promise<Kysely<Tables>> {
  const pool = new WatchedPool(settings, watch)
  onPool?.(pool)
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    await refuseUnfinishedTransfer(db)
    await bringUpToDate(db, settings)
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}

async function bringUpToDate(db: Kysely<Tables>, settings: PostgresSettings): Promise<void> {
  if (settings.migrations !== 'never') return migratePostgres(settings)
  if (await isNewer(db, POSTGRES_MIGRATIONS)) return
  await requireMigrated(db as Kysely<never>, POSTGRES_MIGRATIONS)
}

/**
 * Migrates a PostgreSQL database. That of a newer version stays as it is, if that version says that this one can use it: so
 * replicas of both run side by side while an update rolls out.
 * @throws MigrationError, StorageError
 */
export async function migratePostgres(
  { directUrl }: Pick<PostgresSettings, 'directUrl'>,
  migrations: Record<string, PostgresMigration> = POSTGRES_MIGRATIONS,
): Promise<void> {
  const pool = new WatchedPool({ url: directUrl, poolSize: 1 })
  const direct = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    if (await isNewer(direct, migrations)) return
    await migrateDatabase(direct as Kysely<never>, withCompatibility(migrations))
  } finally {
    await direct.destroy()
  }
}
