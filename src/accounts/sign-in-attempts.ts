import { createHmac } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import { sql } from 'kysely'
import { lockFor } from '../database/lock-for.js'
import type { Database } from '../database/open-database.js'
import type { ServerSecret } from '../organizations/server-secret.js'
import type { AccountDeps } from './account-deps.js'

const WINDOW_MS = 15 * 60_000
/**
 * How many failed sign-ins the window allows. Only an attacker with many addresses reaches the limit of an account, and
 * then browsers that signed in to it before still have their own.
 */
const LIMITS = {
  /** At an account from a network. */
  pair: 10,
  /** At an account from all unknown browsers. */
  account: 100,
  /** From a network at all accounts. */
  network: 50,
  /** At an account from one browser that signed in to it before. */
  browser: 10,
} as const
/** Beyond this many rows the oldest attempts are forgotten: about 10 MB. */
const MAX_ROWS = 100_000

type LimitedBy = keyof typeof LIMITS

/** What a limit counts attempts of. */
interface Subject {
  limitedBy: LimitedBy
  subject: Buffer
}

export interface Attempt {
  /** Id of the account, or the name that was entered if there is none. */
  account: string
  /** IP address of the client. */
  address: string
  /** Identifies a browser that has signed in to the account before. */
  browser: string | undefined
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
  // Without a lock, so that a flood that is refused anyway does not queue for one.
  const knownWaitMs = await longestWait(deps.db, subjects, attempt.now)
  if (knownWaitMs > 0) return knownWaitMs
  return deps.db.transaction().execute(async (transaction) => {
    await lockSubjects(transaction, subjects)
    const waitMs = await longestWait(transaction, subjects, attempt.now)
    if (waitMs > 0) return waitMs
    await transaction
      .insertInto('sign_in_attempts')
      .values(subjects.map(({ subject }) => ({ subject, at: attempt.now })))
      .execute()
    await forgetOldest(transaction)
    return undefined
  })
}

/** After a successful sign-in, clears the attempts of this person, and this attempt from the limits shared with others. */
export async function clearAttempts({ db, secret }: AccountDeps, attempt: Attempt): Promise<void> {
  for (const { limitedBy, subject } of subjectsOf(secret, attempt)) {
    let rows = db.deleteFrom('sign_in_attempts').where('subject', '=', subject)
    // A successful sign-in must not buy anybody more guesses at this account or at others.
    if (limitedBy === 'network' || limitedBy === 'account')
      rows = rows.where('at', '=', attempt.now)
    await rows.execute()
  }
}

export async function sweepAttempts(db: Database, now: number): Promise<void> {
  await db
    .deleteFrom('sign_in_attempts')
    .where('at', '<=', now - WINDOW_MS)
    .execute()
}

/** In one order, so that two attempts never wait for each other. */
async function lockSubjects(transaction: Database, subjects: readonly Subject[]): Promise<void> {
  const ids = subjects.map(({ subject }) => subject.toString('hex')).toSorted()
  for (const id of ids) await lockFor(transaction, 'sign-in', id)
}

async function longestWait(
  db: Database,
  subjects: readonly Subject[],
  now: number,
): Promise<number> {
  let longest = 0
  for (const { limitedBy, subject } of subjects) {
    const wait = await waitTime(db, { subject, limit: LIMITS[limitedBy], now })
    longest = Math.max(longest, wait)
  }
  return longest
}

async function forgetOldest(db: Database): Promise<void> {
  await db
    .deleteFrom('sign_in_attempts')
    .where('id', '<=', sql<number>`(select max(id) from sign_in_attempts) - ${MAX_ROWS}`)
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

/** Keyed hashes, so that neither names nor IP addresses are stored. */
function subjectsOf(secret: ServerSecret, { account, address, browser }: Attempt): Subject[] {
  const network = networkOf(address)
  const entries: [LimitedBy, readonly string[]][] =
    browser === undefined
      ? [
          ['pair', [account, network]],
          ['account', [account]],
          ['network', [network]],
        ]
      : [['browser', [account, browser]]]
  return entries.map(([limitedBy, values]) => ({
    limitedBy,
    subject: createHmac('sha256', secret.subkey('portal-attempt'))
      .update(JSON.stringify([limitedBy, ...values]))
      .digest(),
  }))
}

/** The address, or the /64 of an IPv6 address, since every customer of a provider has one to himself. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv6) return parsed.parts.slice(0, 4).join(':')
  return parsed.toString()
}
