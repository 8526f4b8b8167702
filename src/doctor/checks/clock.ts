import { existsSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'
import type { Config } from '../../config/config.js'
import { databaseFile } from '../../database/open-database.js'
import { MAX_AHEAD_MS, readTrustedClock } from '../../retention/trusted-clock.js'
import { failed, ok, warning, type Finding } from '../check.js'

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
  const { lastChange, lastPlausible } = findTimes(dataDir)
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
}

function findTimes(dataDir: string): RecordedTimes {
  if (!existsSync(databaseFile(dataDir))) return { lastChange: 0, lastPlausible: undefined }
  const sqlite = new BetterSqlite3(databaseFile(dataDir), { fileMustExist: true })
  try {
    const last = sqlite.prepare('select max(at) from audit_log').pluck().get() as number | null
    return { lastChange: last ?? 0, lastPlausible: readTrustedClock(sqlite) }
  } finally {
    sqlite.close()
  }
}
