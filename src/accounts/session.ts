import type { Database } from '../database/open-database.js'
import type { AccountDeps } from './account-deps.js'
import { generateToken, hashToken, isWellFormedToken } from './link-token.js'
import type { Role } from './role.js'

const MINUTE_MS = 60_000
/** Signs out a browser that is left unattended. */
export const SESSION_IDLE_MS = 2 * 60 * MINUTE_MS
/** Nobody stays signed in longer than a working day. */
export const SESSION_LIFETIME_MS = 12 * 60 * MINUTE_MS

/** A signed-in browser, with the current details and role of its account. */
export interface Session {
  /** Identifies the session in the database. The token itself is only in the cookie. */
  tokenHash: Buffer
  accountId: string
  signInName: string
  /** The verified address. */
  email: string | null
  organizationId: string
  organizationName: string
  role: Role
}

export interface SessionSummary {
  tokenHash: Buffer
  device: string
  createdAt: number
  lastSeenAt: number
}

/** Starts a session and returns its token, which goes into the browser's cookie. */
export async function startSession(
  { db, secret }: AccountDeps,
  input: { accountId: string; organizationId: string; device: string; now: number },
): Promise<string> {
  const token = generateToken()
  await db
    .insertInto('portal_sessions')
    .values({
      token_hash: hashToken(secret, token),
      account_id: input.accountId,
      organization_id: input.organizationId,
      device: input.device,
      created_at: input.now,
      last_seen_at: input.now,
    })
    .execute()
  return token
}

/** The session that a token belongs to; undefined if it is unknown or has expired. */
export async function findSession(
  { db, secret }: AccountDeps,
  token: string,
  now: number,
): Promise<Session | undefined> {
  if (!isWellFormedToken(token)) return undefined
  const tokenHash = hashToken(secret, token)
  const row = await db
    .selectFrom('portal_sessions')
    .innerJoin('accounts', 'accounts.id', 'portal_sessions.account_id')
    .innerJoin('organizations', 'organizations.id', 'portal_sessions.organization_id')
    .innerJoin('memberships', (join) =>
      join
        .onRef('memberships.organization_id', '=', 'portal_sessions.organization_id')
        .onRef('memberships.account_id', '=', 'portal_sessions.account_id'),
    )
    .select([
      'accounts.id',
      'accounts.sign_in_name',
      'accounts.email',
      'organizations.id as organization_id',
      'organizations.name',
      'memberships.role',
      'portal_sessions.last_seen_at',
    ])
    .where('portal_sessions.token_hash', '=', tokenHash)
    .where('portal_sessions.created_at', '>', now - SESSION_LIFETIME_MS)
    .where('portal_sessions.last_seen_at', '>', now - SESSION_IDLE_MS)
    .executeTakeFirst()
  if (!row) return undefined
  if (now - row.last_seen_at > MINUTE_MS) await touchSession(db, tokenHash, now)
  return {
    tokenHash,
    accountId: row.id,
    signInName: row.sign_in_name,
    email: row.email,
    organizationId: row.organization_id,
    organizationName: row.name,
    role: row.role as Role,
  }
}

async function touchSession(db: Database, tokenHash: Buffer, now: number): Promise<void> {
  await db
    .updateTable('portal_sessions')
    .set({ last_seen_at: now })
    .where('token_hash', '=', tokenHash)
    .execute()
}

/** The active sessions of an account, most recently used first. */
export async function listSessions(
  db: Database,
  accountId: string,
  now: number,
): Promise<SessionSummary[]> {
  const rows = await db
    .selectFrom('portal_sessions')
    .select(['token_hash', 'device', 'created_at', 'last_seen_at'])
    .where('account_id', '=', accountId)
    .where('created_at', '>', now - SESSION_LIFETIME_MS)
    .where('last_seen_at', '>', now - SESSION_IDLE_MS)
    .orderBy('last_seen_at', 'desc')
    .limit(100)
    .execute()
  return rows.map((row) => ({
    tokenHash: row.token_hash,
    device: row.device,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
  }))
}

export async function endSession(db: Database, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('portal_sessions').where('token_hash', '=', tokenHash).execute()
}

/** Ends every session of an account, or only those in one organisation. */
export async function endSessions(
  db: Database,
  { accountId, organizationId }: { accountId: string; organizationId?: string },
): Promise<void> {
  let sessions = db.deleteFrom('portal_sessions').where('account_id', '=', accountId)
  if (organizationId !== undefined) {
    sessions = sessions.where('organization_id', '=', organizationId)
  }
  await sessions.execute()
}

/** Deletes expired sessions, which are already refused. */
export async function sweepSessions(db: Database, now: number): Promise<void> {
  await db
    .deleteFrom('portal_sessions')
    .where((where) =>
      where.or([
        where('created_at', '<=', now - SESSION_LIFETIME_MS),
        where('last_seen_at', '<=', now - SESSION_IDLE_MS),
      ]),
    )
    .execute()
}
