import { existsSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'
import type { Config } from '../../config/config.js'
import { hasDatabase } from '../../database/installation.js'
import { databaseFile } from '../../database/open-database.js'
import { isSecretOf } from '../../organizations/check-server-secret.js'
import {
  readServerSecret,
  secretFileOf,
  ServerSecretError,
} from '../../organizations/server-secret.js'
import { failed, ok, type Finding } from '../check.js'

/** Checks that the server secret is there, private and the one that the database was written with. Only reads. */
export async function checkSecret({ dataDir }: Pick<Config, 'dataDir'>): Promise<Finding> {
  const file = secretFileOf(dataDir)
  const database = databaseFile(dataDir)
  if (!existsSync(file)) {
    if (!hasDatabase(database)) return ok('none yet; the first start creates it')
    return failed(
      `${file} is missing, so no key of the database works`,
      'Put the file that belongs to the database there, with mode 600: backups contain it unless they were made with --without-secret.',
    )
  }
  try {
    const secret = await readServerSecret(dataDir)
    if (!hasDatabase(database)) return ok('readable')
    const sqlite = new BetterSqlite3(database, { fileMustExist: true })
    try {
      if (isSecretOf(sqlite, secret) ?? true) return ok('belongs to the database')
    } finally {
      sqlite.close()
    }
  } catch (error) {
    if (!(error instanceof ServerSecretError)) throw error
    return failed('it cannot be used', error.message)
  }
  return failed(
    'the database was written with another one, so none of its keys work',
    `Restore the file that belongs to the database to ${file}.`,
  )
}
