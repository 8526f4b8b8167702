import { sql } from 'kysely'
import { isPostgres } from '../../database/dialect.js'
import type { Database, DatabasePlace } from '../../database/open-database.js'
import { findSecret, type SecretPlace } from '../../organizations/check-server-secret.js'
import { verifyAuditLog } from '../../organizations/verify-audit-log.js'
import { failed, ok, type Finding } from '../check.js'
import { withDiagnosis } from '../with-diagnosis.js'

/** Checks that nobody changed the audit log but the service. Only reads. */
export async function checkAuditLog(config: DatabasePlace & SecretPlace): Promise<Finding> {
  const secret = await findSecret(config)
  if (!secret) return ok('none yet')
  const finding = await withDiagnosis(config, async (db) => {
    if (!(await hasChain(db))) return ok('not chained yet; the next start does that')
    const { entries, head, broken } = await verifyAuditLog({ db, secret })
    if (!broken) return ok(head ? `${entries} entries, unchanged` : 'empty')
    return failed(
      `entry ${broken.id}: ${broken.problem}`,
      'Somebody changed the database around the service. Compare it with a backup: npm run admin -- audit list',
    )
  })
  return finding ?? ok('none yet')
}

/** The schema of PostgreSQL began with it. */
async function hasChain(db: Database): Promise<boolean> {
  if (isPostgres(db)) return true
  const { rows } = await sql`select 1 from sqlite_master where name = 'audit_chain'`.execute(db)
  return rows.length > 0
}
