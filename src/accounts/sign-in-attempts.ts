import { createHmac } from 'node:crypto'
import type { Database } from '../database/open-database.js'
import type { ServerSecret } from '../organizations/server-secret.js'
import type { AccountDeps } from './account-deps.js'

const WINDOW_MS = 15 * 60_000
/** How many failed sign-ins the window allows for an account and from an IP address. */
const LIMITS = { account: 10, address: 50 } as const

type LimitedBy = keyof typeof LIMITS

export interface Attempt {
  email: string
  /** IP address of the client. */
  address: string
  now: number
}

/**
 * Counts an attempt before its password is checked, so that parallel attempts cannot get around the limits.
 * @returns milliseconds to wait if the attempt exceeds a limit, else undefined
 */
export async function countAttempt(
  deps: AccountDeps,
  attempt: Attempt,
): Promise<number | undefined> {
  const subjects = subjectsOf(deps.secret, attempt)
  return deps.db.transaction().execute(async (transaction) => {
    const waits = await Promise.all(
      subjects.map(({ limitedBy, subject }) =>
        waitTime(transaction, { subject, limit: LIMITS[limitedBy], now: attempt.now }),
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

/** After a successful sign-in, clears the attempts of the account, and this one of the IP address. */
export async function clearAttempts({ db, secret }: AccountDeps, attempt: Attempt): Promise<void> {
  for (const { limitedBy, subject } of subjectsOf(secret, attempt)) {
    let rows = db.deleteFrom('sign_in_attempts').where('subject', '=', subject)
    // A successful sign-in must not buy the address more guesses at other accounts.
    if (limitedBy === 'address') rows = rows.where('at', '=', attempt.now)
    await rows.execute()
  }
}

export async function sweepAttempts(db: Database, now: number): Promise<void> {
  await db
    .deleteFrom('sign_in_attempts')
    .where('at', '<=', now - WINDOW_MS)
    .execute()
}

/** Milliseconds until the window holds fewer than `limit` attempts; 0 if it does already. */
async function waitTime(
  db: Database,
  { subject, limit, now }: { subject: Buffer; limit: number; now: number },
): Promise<number> {
  const oldestOverLimit = await db
    .selectFrom('sign_in_attempts')
    .select('at')
    .where('subject', '=', subject)
    .where('at', '>', now - WINDOW_MS)
    .orderBy('at', 'desc')
    .offset(limit - 1)
    .limit(1)
    .executeTakeFirst()
  return oldestOverLimit ? oldestOverLimit.at + WINDOW_MS - now : 0
}

/** Keyed hashes, so that neither e-mail nor IP addresses are stored. */
function subjectsOf(secret: ServerSecret, { email, address }: Attempt) {
  const entries: [LimitedBy, string][] = [
    ['account', email],
    ['address', address],
  ]
  return entries.map(([limitedBy, value]) => ({
    limitedBy,
    subject: createHmac('sha256', secret.subkey('portal-attempt'))
      .update(`${limitedBy}:${value}`)
      .digest(),
  }))
}
