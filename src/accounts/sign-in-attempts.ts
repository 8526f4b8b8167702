import { createHmac } from 'node:crypto'
import type { Database } from '../database/open-database.js'
import type { ServerSecret } from '../organizations/server-secret.js'

const WINDOW_MS = 15 * 60_000
/** Failed sign-ins within the window, after which nobody can try further. */
const LIMITS = { account: 10, address: 50 } as const

type Guarded = keyof typeof LIMITS

export interface Attempt {
  email: string
  /** IP address of the client. */
  address: string
  now: number
}

/**
 * Counts an attempt before its password is looked at, so that many at once are no way around the limits.
 * @returns milliseconds to wait when this attempt is one too many; undefined when it may go on
 */
export async function countAttempt(
  deps: { db: Database; secret: ServerSecret },
  attempt: Attempt,
): Promise<number | undefined> {
  const subjects = subjectsOf(deps.secret, attempt)
  return deps.db.transaction().execute(async (transaction) => {
    const waits = await Promise.all(
      subjects.map(({ guarded, subject }) =>
        waitFor(transaction, { subject, limit: LIMITS[guarded], now: attempt.now }),
      ),
    )
    const waitMs = Math.max(...waits)
    if (waitMs > 0) return waitMs
    await transaction
      .insertInto('sign_in_attempts')
      .values(subjects.map(({ subject }) => ({ subject, at: attempt.now })))
      .execute()
    return undefined
  })
}

/** A sign-in that succeeded takes its own attempt back, and clears those of its account. */
export async function forgiveAttempts(
  { db, secret }: { db: Database; secret: ServerSecret },
  attempt: Attempt,
): Promise<void> {
  for (const { guarded, subject } of subjectsOf(secret, attempt)) {
    let rows = db.deleteFrom('sign_in_attempts').where('subject', '=', subject)
    // Own sign-ins must not buy an address more guesses at other accounts.
    if (guarded === 'address') rows = rows.where('at', '=', attempt.now)
    await rows.execute()
  }
}

export async function sweepAttempts(db: Database, now: number): Promise<void> {
  await db
    .deleteFrom('sign_in_attempts')
    .where('at', '<=', now - WINDOW_MS)
    .execute()
}

/** How long until there are fewer than `limit` in the window. */
async function waitFor(
  db: Database,
  { subject, limit, now }: { subject: Buffer; limit: number; now: number },
): Promise<number> {
  const decisive = await db
    .selectFrom('sign_in_attempts')
    .select('at')
    .where('subject', '=', subject)
    .where('at', '>', now - WINDOW_MS)
    .orderBy('at', 'desc')
    .offset(limit - 1)
    .limit(1)
    .executeTakeFirst()
  return decisive ? decisive.at + WINDOW_MS - now : 0
}

/** Keyed hashes: neither e-mail nor IP addresses are kept. */
function subjectsOf(secret: ServerSecret, { email, address }: Attempt) {
  const entries: [Guarded, string][] = [
    ['account', email],
    ['address', address],
  ]
  return entries.map(([guarded, value]) => ({
    guarded,
    subject: createHmac('sha256', secret.subkey('portal-attempt'))
      .update(`${guarded}:${value}`)
      .digest(),
  }))
}
