import { existsSync } from 'node:fs'
import path from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import type { Config } from '../../config/config.js'
import { ALL_MIGRATIONS } from '../../database/migrations/all-migrations.js'
import { databaseFile, UNFINISHED_RESTORE } from '../../database/open-database.js'
import { failed, ok, type Finding } from '../check.js'

/** Checks that the database is not corrupt and has a version that this program knows. Only reads. */
export function checkDatabase({ dataDir }: Pick<Config, 'dataDir'>): Finding {
  const file = databaseFile(dataDir)
  if (existsSync(path.join(dataDir, UNFINISHED_RESTORE))) {
    return failed(
      'a restore was interrupted',
      'Run the same `npm run admin -- restore` command again.',
    )
  }
  if (!existsSync(file)) return ok('none yet; the first start creates it')
  try {
    return inspect(file)
  } catch (error) {
    return damaged(error instanceof Error ? error.message : 'it cannot be read')
  }
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

function damaged(problem: string): Finding {
  return failed(
    `it is damaged (${problem})`,
    'Stop the service and restore the latest backup: npm run admin -- restore FOLDER',
  )
}
