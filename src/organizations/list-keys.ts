import type { Database } from '../database/open-database.js'
import type { Capability, Environment } from './capability.js'

export type KeyStatus = 'active' | 'expired' | 'revoked'

/** A key as shown in lists. Times are milliseconds since the epoch; `lastUsedAt` may lag by a minute. */
export interface KeySummary {
  keyId: string
  organizationId: string
  name: string
  environment: Environment
  capabilities: Capability[]
  status: KeyStatus
  /** First characters of the current secret. */
  prefix: string
  createdAt: number
  /** When the current secret was issued: at creation or at the last rotation. */
  secretCreatedAt: number
  /** Last use of either secret. */
  lastUsedAt: number | null
  expiresAt: number | null
  revokedAt: number | null
  /** The previous secret, while it is still valid. */
  oldSecret: OldSecret | null
}

export interface OldSecret {
  prefix: string
  endsAt: number
  lastUsedAt: number | null
}

export interface KeyQuery {
  /** Default: all organisations. */
  organizationId?: string | undefined
  keyId?: string
  /** Milliseconds since the epoch. */
  now: number
}

/** Lists keys, oldest first, including expired and revoked ones. */
export async function listKeys(db: Database, query: KeyQuery): Promise<KeySummary[]> {
  let rows = db
    .selectFrom('api_keys')
    .innerJoin('api_key_secrets as current', (join) =>
      join.onRef('current.key_id', '=', 'api_keys.id').on('current.expires_at', 'is', null),
    )
    .leftJoin('api_key_secrets as previous', (join) =>
      join.onRef('previous.key_id', '=', 'api_keys.id').on('previous.expires_at', '>', query.now),
    )
    .selectAll('api_keys')
    .select([
      'current.prefix',
      'current.created_at as secret_created_at',
      'previous.prefix as old_prefix',
      'previous.expires_at as old_ends_at',
      'previous.last_used_at as old_last_used_at',
    ])
    .select((select) =>
      select
        .selectFrom('api_key_secrets')
        .select((secret) => secret.fn.max('last_used_at').as('last_used_at'))
        .whereRef('key_id', '=', 'api_keys.id')
        .as('last_used_at'),
    )
    .orderBy('api_keys.created_at')
    .orderBy('api_keys.id')
    .limit(10_000)
  if (query.organizationId !== undefined) {
    rows = rows.where('organization_id', '=', query.organizationId)
  }
  if (query.keyId !== undefined) rows = rows.where('api_keys.id', '=', query.keyId)
  return (await rows.execute()).map((row) => {
    const status = keyStatus(row, query.now)
    return {
      keyId: row.id,
      organizationId: row.organization_id,
      name: row.name,
      environment: row.environment as Environment,
      capabilities: JSON.parse(row.capabilities) as Capability[],
      status,
      prefix: row.prefix,
      createdAt: row.created_at,
      secretCreatedAt: row.secret_created_at,
      lastUsedAt: row.last_used_at,
      expiresAt: row.expires_at,
      revokedAt: row.revoked_at,
      oldSecret: status === 'active' ? toOldSecret(row) : null,
    }
  })
}

/** Returns a key of an organisation. */
export async function findKey(
  db: Database,
  query: KeyQuery & { organizationId: string; keyId: string },
): Promise<KeySummary | undefined> {
  return (await listKeys(db, query))[0]
}

function toOldSecret(row: {
  old_prefix: string | null
  old_ends_at: number | null
  old_last_used_at: number | null
}): OldSecret | null {
  const { old_prefix: prefix, old_ends_at: endsAt, old_last_used_at: lastUsedAt } = row
  return prefix === null || endsAt === null ? null : { prefix, endsAt, lastUsedAt }
}

function keyStatus(
  key: { revoked_at: number | null; expires_at: number | null },
  now: number,
): KeyStatus {
  if (key.revoked_at !== null) return 'revoked'
  return key.expires_at !== null && key.expires_at <= now ? 'expired' : 'active'
}
