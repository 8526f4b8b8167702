import { sql } from 'kysely'
import type { Database } from '../../src/database/open-database.js'

/** Makes the windows of rate limits older, as time does: nobody can set the clock of PostgreSQL. */
export async function ageRateWindows(db: Database, seconds: number): Promise<void> {
  await sql`update rate_windows set second = second - ${seconds}`.execute(db)
}
