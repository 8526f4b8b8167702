import type { Database } from '../database/open-database.js'
import type { Capability, Environment } from './capability.js'

export type KeyStatus = 'active' | 'expired' | 'revoked'

/** What lists show of a key. Times are milliseconds since the epoch. */
export interface KeySummary {
  keyId: string
  organizationId: string
  name: string
  environment: Environment
  capabilities: Capability[]
  status: KeyStatus
  /** The first characters of the current secret. */
  prefix: string
  createdAt: number
  /** Up to a minute behind. */
  lastUsedAt: number | null
  expiresAt: number | null
  revokedAt: number | null
  /** Until when the secret before the current one works; null when it does not. */
  graceEndsAt: number | null
}

/** The keys of an organisation, the oldest first, ended ones included; of all organisations without `organizationId`. */
export async function listKeys(
  db: Database,
  query: { organizationId?: string | undefined; now: number },
): Promise<KeySummary[]> {
  let rows = db
    .selectFrom('api_keys')
    .innerJoin('api_key_secrets as current', (join) =>
      join.onRef('current.key_id', '=', 'api_keys.id').on('current.expires_at', 'is', null),
    )
    .leftJoin('api_key_secrets as previous', (join) =>
      join.onRef('previous.key_id', '=', 'api_keys.id').on('previous.expires_at', '>', query.now),
    )
    .selectAll('api_keys')
    .select(['current.prefix', 'previous.expires_at as grace_ends_at'])
    .orderBy('api_keys.created_at')
    .orderBy('api_keys.id')
    .limit(10_000)
  if (query.organizationId !== undefined) {
    rows = rows.where('organization_id', '=', query.organizationId)
  }
  return (await rows.execute()).map((row) => {
    const status = statusOf(row, query.now)
    return {
      keyId: row.id,
      organizationId: row.organization_id,
      name: row.name,
      environment: row.environment as Environment,
      capabilities: JSON.parse(row.capabilities) as Capability[],
      status,
      prefix: row.prefix,
      createdAt: row.created_at,
      lastUsedAt: row.last_used_at,
      expiresAt: row.expires_at,
      revokedAt: row.revoked_at,
      graceEndsAt: status === 'active' ? row.grace_ends_at : null,
    }
  })
}

function statusOf(
  key: { revoked_at: number | null; expires_at: number | null },
  now: number,
): KeyStatus {
  if (key.revoked_at !== null) return 'revoked'
  return key.expires_at !== null && key.expires_at <= now ? 'expired' : 'active'
}
