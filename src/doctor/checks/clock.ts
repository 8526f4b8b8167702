import { existsSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'
import type { Config } from '../../config/config.js'
import { databaseFile } from '../../database/open-database.js'
import { failed, ok, type Finding } from '../check.js'

/** This version did not exist before. */
const EARLIEST = Date.UTC(2026, 0, 1)
const TOLERANCE_MS = 5 * 60_000

/** Checks that the clock is plausible: quotas, rotations and retention depend on it. */
export function checkClock(
  { dataDir }: Pick<Config, 'dataDir'>,
  now: number = Date.now(),
): Finding {
  const fix = 'Set the clock and keep it right with NTP: timedatectl set-ntp true'
  const shown = new Date(now).toISOString()
  if (now < EARLIEST) return failed(`it says ${shown}`, fix)
  const last = findLastChange(dataDir)
  if (last > now + TOLERANCE_MS) {
    return failed(
      `it says ${shown}, and the database has an entry of ${new Date(last).toISOString()}`,
      fix,
    )
  }
  return ok(shown)
}

/** Time of the latest audit log entry; 0 if there is none. */
function findLastChange(dataDir: string): number {
  if (!existsSync(databaseFile(dataDir))) return 0
  const sqlite = new BetterSqlite3(databaseFile(dataDir), { fileMustExist: true })
  try {
    return (sqlite.prepare('select max(at) from audit_log').pluck().get() as number | null) ?? 0
  } finally {
    sqlite.close()
  }
}
