import type { Database } from '../database/open-database.js'
import { sweepSessions } from './session.js'
import { sweepAttempts } from './sign-in-attempts.js'

/** Deletes sessions, links and noted attempts whose time is over, and with them the addresses in them. */
export async function sweepAccess(db: Database, now: number): Promise<void> {
  await sweepSessions(db, now)
  await sweepAttempts(db, now)
  await db.deleteFrom('invitations').where('expires_at', '<=', now).execute()
  await db.deleteFrom('password_resets').where('expires_at', '<=', now).execute()
}
