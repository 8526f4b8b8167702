import { sql } from 'kysely'
import { isPostgres } from '../../database/dialect.js'
import type { Database, DatabasePlace } from '../../database/open-database.js'
import { MAX_AHEAD_MS, readTrustedClock } from '../../retention/trusted-clock.js'
import { failed, ok, warning, type Finding } from '../check.js'
import { withDiagnosis } from '../with-diagnosis.js'

/** This version did not exist before. */
const EARLIEST = Date.UTC(2026, 0, 1)
const TOLERANCE_MS = 5 * 60_000
/** Leases and limits that replicas share go by the clock of the database. */
const SERVER_TOLERANCE_MS = 5_000

/** Checks that the clock is plausible: quotas, rotations and retention depend on it. */
export async function checkClock(
  config: DatabasePlace,
  now: number = Date.now(),
): Promise<Finding> {
  const fix = 'Set the clock and keep it right with NTP: timedatectl set-ntp true'
  const shown = new Date(now).toISOString()
  if (now < EARLIEST) return failed(`it says ${shown}`, fix)
  const { lastChange, lastPlausible, server } = await findTimes(config)
  if (server !== undefined && Math.abs(server - now) > SERVER_TOLERANCE_MS) {
    const difference = `${Math.round(Math.abs(server - now) / 1_000)} s`
    return failed(`it says ${shown}, and the clock of PostgreSQL differs by ${difference}`, fix)
  }
  if (lastChange > now + TOLERANCE_MS) {
    return failed(
      `it says ${shown}, and the database has an entry of ${new Date(lastChange).toISOString()}`,
      fix,
    )
  }
  if (lastPlausible !== undefined && now > lastPlausible + MAX_AHEAD_MS) {
    return warning(
      `it says ${shown}, and the service last ran on ${new Date(lastPlausible).toISOString()}: nothing is deleted by age`,
      `${fix}. If it is right, confirm that: npm run admin -- purge --trust-clock`,
    )
  }
  return ok(shown)
}

interface RecordedTimes {
  /** Time of the latest audit log entry; 0 if there is none. */
  lastChange: number
  lastPlausible: number | undefined
  /** Time on the server of the database; undefined for SQLite. */
  server: number | undefined
}

async function findTimes(config: DatabasePlace): Promise<RecordedTimes> {
  const found = await withDiagnosis(config, async (db) => {
    const last = await db
      .selectFrom('audit_log')
      .select((select) => select.fn.max('at').as('at'))
      .executeTakeFirst()
    return {
      lastChange: last?.at ?? 0,
      lastPlausible: await readTrustedClock(db),
      server: isPostgres(db) ? await readServerClock(db) : undefined,
    }
  })
  return found ?? { lastChange: 0, lastPlausible: undefined, server: undefined }
}

async function readServerClock(db: Database): Promise<number | undefined> {
  const { rows } = await sql<{ now: number }>`
    select floor(extract(epoch from clock_timestamp()) * 1000) as now
  `.execute(db)
  return rows[0]?.now
}
