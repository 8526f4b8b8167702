import { OperatorError } from '../core/operator-error.js'
import type { Database } from '../database/open-database.js'

/** Name of the `service_metadata` entry with the latest time that was plausible, in milliseconds since the epoch. */
const NAME = 'trusted_clock'
const DAY_MS = 24 * 60 * 60 * 1_000
/** A clock may run ahead of the last known time by this, for example after a stop over some days. */
export const MAX_AHEAD_MS = 7 * DAY_MS

/** The clock may be wrong, so nothing is deleted by age; `message` says what to do. */
export class ClockJumpError extends OperatorError {}

/**
 * Records the time if it is plausible: at most a week after the last time that was. A running server calls it every
 * hour, so a clock that jumps further ahead is noticed before it has left other traces.
 * @throws ClockJumpError
 */
export async function recordClock(db: Database, now: number): Promise<void> {
  await assertPlausible(db, now)
  await trustClock(db, now)
}

/**
 * A clock that jumped ahead would make every record look old.
 * @throws ClockJumpError when the time is more than a week after the last time that was plausible
 */
export async function assertPlausible(db: Database, now: number): Promise<void> {
  const last = await findLastTime(db)
  if (last === undefined || now <= last + MAX_AHEAD_MS) return
  throw new ClockJumpError(
    `The clock says ${formatDay(now)}, but this service last ran on ${formatDay(last)}: nothing is deleted by age. ` +
      'If the clock is right, confirm it: npm run admin -- purge --trust-clock',
  )
}

/** Records the time as right, whatever was recorded before. */
export async function trustClock(db: Database, now: number): Promise<void> {
  const value = Buffer.from(String(now))
  await db
    .insertInto('service_metadata')
    .values({ name: NAME, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** Returns the last plausible time that was recorded. */
export async function readTrustedClock(db: Database): Promise<number | undefined> {
  const recorded = await db
    .selectFrom('service_metadata')
    .select('value')
    .where('name', '=', NAME)
    .executeTakeFirst()
  return recorded && Number(recorded.value.toString())
}

/** The recorded time; in the database of a version that recorded none, the time of the newest record. */
async function findLastTime(db: Database): Promise<number | undefined> {
  const recorded = await readTrustedClock(db)
  if (recorded !== undefined) return recorded
  const newest = [
    await db.selectFrom('audit_log').select('at').orderBy('id', 'desc').executeTakeFirst(),
    await db
      .selectFrom('service_calls')
      .select('created_at as at')
      .orderBy('id', 'desc')
      .executeTakeFirst(),
  ].flatMap((row) => row?.at ?? [])
  return newest.length > 0 ? Math.max(...newest) : undefined
}

function formatDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
