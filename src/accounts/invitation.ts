import { AdminError } from '../core/admin-error.js'
import type { Database } from '../database/open-database.js'
import { recordAudit, type Act } from '../organizations/audit-log.js'
import { newId } from '../organizations/new-id.js'
import { transactAudited } from '../organizations/transact-audited.js'
import type { AccountDeps } from './account-deps.js'
import { generateToken, hashToken, isWellFormedToken } from './link-token.js'
import type { Role } from './role.js'

const INVITATION_LIFETIME_MS = 72 * 60 * 60_000
const MAX_OPEN_INVITATIONS = 100

export interface NewInvitation {
  organizationId: string
  role: Role
  /** In lower case. Without it, anyone with the link may use it, and a new account has no verified address. */
  email?: string | undefined
}

export interface Invitation {
  id: string
  organizationId: string
  organizationName: string
  role: Role
  email: string | null
  createdAt: number
  expiresAt: number
}

/** The token goes into the link. It is available only here; the database stores its hash. */
export interface IssuedInvitation {
  invitationId: string
  token: string
  expiresAt: number
}

/**
 * Creates an invitation to an organisation. Its link works once, within 72 hours.
 * @throws AdminError `not_possible` beyond 100 open invitations
 */
export async function createInvitation(
  deps: AccountDeps,
  input: NewInvitation,
  act: Act,
): Promise<IssuedInvitation> {
  const token = generateToken()
  const invitationId = newId('inv')
  const expiresAt = act.now + INVITATION_LIFETIME_MS
  await transactAudited(deps.db, async (transaction) => {
    const open = await listInvitations(transaction, input.organizationId, act.now)
    if (open.length >= MAX_OPEN_INVITATIONS) {
      throw new AdminError(
        'not_possible',
        `An organisation has at most ${MAX_OPEN_INVITATIONS} open invitations. Withdraw one first.`,
      )
    }
    await transaction
      .insertInto('invitations')
      .values({
        id: invitationId,
        token_hash: hashToken(deps.secret, token),
        organization_id: input.organizationId,
        role: input.role,
        email: input.email ?? null,
        created_at: act.now,
        expires_at: expiresAt,
      })
      .execute()
    await recordAudit(
      { ...deps, db: transaction },
      {
        action: 'member.invited',
        organizationId: input.organizationId,
        subject: invitationId,
        details: { role: input.role },
      },
      act,
    )
  })
  return { invitationId, token, expiresAt }
}

/** The open invitation that a link's token belongs to. */
export async function findInvitation(
  { db, secret }: AccountDeps,
  token: string,
  now: number,
): Promise<Invitation | undefined> {
  if (!isWellFormedToken(token)) return undefined
  const row = await openInvitations(db, now)
    .where('token_hash', '=', hashToken(secret, token))
    .executeTakeFirst()
  return row && fromRow(row)
}

/** The newest open invitation that names an e-mail address. */
export async function findInvitationByEmail(
  db: Database,
  email: string,
  now: number,
): Promise<Invitation | undefined> {
  const row = await openInvitations(db, now)
    .where('email', '=', email)
    .orderBy('invitations.created_at', 'desc')
    .executeTakeFirst()
  return row && fromRow(row)
}

/** The open invitations of an organisation, newest first. */
export async function listInvitations(
  db: Database,
  organizationId: string,
  now: number,
): Promise<Invitation[]> {
  const rows = await openInvitations(db, now)
    .where('organization_id', '=', organizationId)
    .orderBy('invitations.created_at', 'desc')
    .limit(MAX_OPEN_INVITATIONS)
    .execute()
  return rows.map(fromRow)
}

/** @throws AdminError `not_found` if the organisation has no such open invitation */
export async function withdrawInvitation(
  deps: AccountDeps,
  { organizationId, invitationId }: { organizationId: string; invitationId: string },
  act: Act,
): Promise<void> {
  await transactAudited(deps.db, async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom('invitations')
      .where('id', '=', invitationId)
      .where('organization_id', '=', organizationId)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) throw new AdminError('not_found', 'There is no such invitation.')
    await recordAudit(
      { ...deps, db: transaction },
      { action: 'member.invitation_withdrawn', organizationId, subject: invitationId },
      act,
    )
  })
}

/** Whether an invitation has been neither used nor withdrawn. */
export async function isOpenInvitation(db: Database, invitationId: string): Promise<boolean> {
  const row = await db
    .selectFrom('invitations')
    .select('id')
    .where('id', '=', invitationId)
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes an invitation that was used. */
export async function redeemInvitation(db: Database, invitationId: string): Promise<void> {
  await db.deleteFrom('invitations').where('id', '=', invitationId).execute()
}

function openInvitations(db: Database, now: number) {
  return db
    .selectFrom('invitations')
    .innerJoin('organizations', 'organizations.id', 'invitations.organization_id')
    .select([
      'invitations.id',
      'invitations.organization_id',
      'organizations.name',
      'invitations.role',
      'invitations.email',
      'invitations.created_at',
      'invitations.expires_at',
    ])
    .where('invitations.expires_at', '>', now)
}

function fromRow(row: {
  id: string
  organization_id: string
  name: string
  role: string
  email: string | null
  created_at: number
  expires_at: number
}): Invitation {
  return {
    id: row.id,
    organizationId: row.organization_id,
    organizationName: row.name,
    role: row.role as Role,
    email: row.email,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}
