import type { Database } from '../database/open-database.js'
import type { ServerSecret } from '../organizations/server-secret.js'
import { generateToken, hashToken, isWellFormedToken } from './link-token.js'
import type { Role } from './role.js'

const MINUTE_MS = 60_000
/** A browser that is left alone is signed out. */
export const SESSION_IDLE_MS = 2 * 60 * MINUTE_MS
/** Nobody stays signed in for longer than a working day. */
export const SESSION_LIFETIME_MS = 12 * 60 * MINUTE_MS

export interface SessionDeps {
  db: Database
  secret: ServerSecret
}

/** A signed-in browser, with what its account is and may do now. */
export interface Session {
  /** Identifies the session in the database; the token itself is in the cookie only. */
  tokenHash: Buffer
  accountId: string
  email: string
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

/** Starts a session under a new token, which goes into the browser's cookie. */
export async function startSession(
  { db, secret }: SessionDeps,
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

/** The session of a cookie's token; undefined when it is unknown or its time is over. */
export async function findSession(
  { db, secret }: SessionDeps,
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

/** The sessions of an account that are not over, the last used first. */
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
  if (organizationId !== undefined)
    sessions = sessions.where('organization_id', '=', organizationId)
  await sessions.execute()
}

/** Deletes sessions whose time is over. They open nothing before that already. */
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
