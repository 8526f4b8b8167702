import { existsSync } from 'node:fs'
import path from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import type { Config } from '../../config/config.js'
import {
  explainStorageFailure,
  StorageFailureError,
} from '../../database/explain-storage-failure.js'
import {
  explainMissingDatabase,
  findInstallationFiles,
  hasDatabase,
} from '../../database/installation.js'
import { ALL_MIGRATIONS } from '../../database/migrations/all-migrations.js'
import {
  databaseFile,
  UNFINISHED_RESTORE,
  type DatabasePlace,
} from '../../database/open-database.js'
import { failed, ok, type Finding } from '../check.js'
import { checkPostgres } from './postgres.js'

/** Checks that the database is not corrupt and has a version that this program knows. Only reads. */
export async function checkDatabase({
  dataDir,
  postgres,
  requireDatabase,
}: DatabasePlace & Pick<Config, 'requireDatabase'>): Promise<Finding> {
  if (postgres) return checkPostgres(postgres)
  const file = databaseFile(dataDir)
  if (existsSync(path.join(dataDir, UNFINISHED_RESTORE))) {
    return failed(
      'a restore was interrupted',
      'Run the same `npm run admin -- restore` command again.',
    )
  }
  if (!hasDatabase(file)) return describeAbsence(dataDir, { file, requireDatabase })
  try {
    return inspect(file)
  } catch (error) {
    return describeFailure(error, dataDir)
  }
}

function describeAbsence(
  dataDir: string,
  { file, requireDatabase }: { file: string; requireDatabase: boolean },
): Finding {
  const found = findInstallationFiles(dataDir)
  if (found.length > 0) return failed('it is gone', explainMissingDatabase(file, found))
  if (!requireDatabase) return ok('none yet; the first start creates it')
  return failed(
    `there is none in ${dataDir}, and REQUIRE_DATABASE is set`,
    'Mount the volume that holds it, or correct DATA_DIR.',
  )
}

function inspect(file: string): Finding {
  // Not `readonly`: that cannot open a database in WAL mode if its -wal and -shm files do not exist.
  const sqlite = new BetterSqlite3(file, { fileMustExist: true })
  try {
    sqlite.pragma('query_only = on')
    const problem = sqlite.pragma('quick_check(1)', { simple: true }) as string
    if (problem !== 'ok') return damaged(problem)
    const applied = sqlite.prepare('select name from kysely_migration').pluck().all() as string[]
    const unknown = applied.filter((name) => !Object.hasOwn(ALL_MIGRATIONS, name))
    if (unknown.length > 0) {
      return failed(
        `a newer version of this program has written it (${unknown.join(', ')})`,
        'Install that version again, or restore a backup from before the upgrade.',
      )
    }
    const pending = Object.keys(ALL_MIGRATIONS).length - applied.length
    return ok(pending > 0 ? `sound; the next start runs ${pending} migrations` : 'sound')
  } finally {
    sqlite.close()
  }
}

/** A full disk, a lock or a wrong owner keeps it from being read, and says nothing about its content. */
async function describeFailure(error: unknown, dataDir: string): Promise<Finding> {
  const problem = error instanceof Error ? error.message : 'it cannot be read'
  const explained = await explainStorageFailure(error, { dataDir })
  if (!(explained instanceof StorageFailureError)) return damaged(problem)
  if (explained.failure === 'damaged') return damaged(problem)
  return failed(`it cannot be checked (${problem})`, explained.message)
}

function damaged(problem: string): Finding {
  return failed(
    `it is damaged (${problem})`,
    'Stop the service and restore the latest backup: npm run admin -- restore FOLDER',
  )
}
