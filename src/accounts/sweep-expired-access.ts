import type { Database } from '../database/open-database.js'
import { sweepSessions } from './session.js'
import { sweepAttempts } from './sign-in-attempts.js'

/** Deletes expired sessions, sign-in attempts, invitations and reset links, with the addresses that they contain. */
export async function sweepAccess(db: Database, now: number): Promise<void> {
  await sweepSessions(db, now)
  await sweepAttempts(db, now)
  await db.deleteFrom('invitations').where('expires_at', '<=', now).execute()
  await db.deleteFrom('password_resets').where('expires_at', '<=', now).execute()
}
