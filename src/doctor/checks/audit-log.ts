import { existsSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'
import { Kysely } from 'kysely'
import type { Config } from '../../config/config.js'
import { databaseFile } from '../../database/open-database.js'
import type { Tables } from '../../database/schema.js'
import { ServiceSqliteDialect } from '../../database/sqlite-dialect.js'
import { openServerSecret, secretFileOf } from '../../organizations/server-secret.js'
import { verifyAuditLog } from '../../organizations/verify-audit-log.js'
import { failed, ok, type Finding } from '../check.js'

/** Checks that nobody changed the audit log but the service. Only reads. */
export async function checkAuditLog({ dataDir }: Pick<Config, 'dataDir'>): Promise<Finding> {
  const file = databaseFile(dataDir)
  // Opening the secret creates it.
  if (!existsSync(file) || !existsSync(secretFileOf(dataDir))) return ok('none yet')
  const sqlite = new BetterSqlite3(file, { fileMustExist: true })
  const db = new Kysely<Tables>({ dialect: new ServiceSqliteDialect(sqlite) })
  try {
    sqlite.pragma('query_only = on')
    const chain = sqlite.prepare("select 1 from sqlite_master where name = 'audit_chain'").get()
    if (!chain) return ok('not chained yet; the next start does that')
    const secret = await openServerSecret(dataDir)
    const { entries, head, broken } = await verifyAuditLog({ db, secret })
    if (!broken) return ok(head ? `${entries} entries, unchanged` : 'empty')
    return failed(
      `entry ${broken.id}: ${broken.problem}`,
      'Somebody changed the database around the service. Compare it with a backup: npm run admin -- audit list',
    )
  } finally {
    await db.destroy()
  }
}
