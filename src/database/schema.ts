import type { Generated } from 'kysely'

/**
 * The tables, as the migrations leave them. Times are milliseconds since the epoch; hashes are 32 bytes; lists and
 * details are JSON text.
 */
export interface Tables {
  organizations: OrganizationsTable
  api_keys: ApiKeysTable
  api_key_secrets: ApiKeySecretsTable
  audit_log: AuditLogTable
  service_metadata: ServiceMetadataTable
  quota_usage: QuotaUsageTable
  quota_reservations: QuotaReservationsTable
  idempotency_records: IdempotencyRecordsTable
}

export interface OrganizationsTable {
  id: string
  name: string
  plan: string
  created_at: number
}

export interface ApiKeysTable {
  id: string
  organization_id: string
  name: string
  environment: string
  /** JSON array of capability identifiers. */
  capabilities: string
  created_at: number
  /** Written at most once a minute. */
  last_used_at: number | null
  expires_at: number | null
  revoked_at: number | null
}

/** Secrets a key has or had; kept after their end, so that an old one is told from an unknown one. */
export interface ApiKeySecretsTable {
  /** HMAC-SHA256 of the whole secret with a subkey of the server secret. */
  secret_hash: Buffer
  key_id: string
  /** The first characters of the secret, for lists. */
  prefix: string
  created_at: number
  /** End of the grace after a rotation; null while the secret is the current one. */
  expires_at: number | null
}

/** Who did what, when; never a secret. */
export interface AuditLogTable {
  id: Generated<number>
  at: number
  actor: string
  action: string
  organization_id: string
  /** Identifier of what was changed. */
  subject: string
  /** JSON object. */
  details: string
}

export interface ServiceMetadataTable {
  name: string
  value: Buffer
}

/** Calls answered with 200, by calendar month. */
export interface QuotaUsageTable {
  organization_id: string
  environment: string
  capability: string
  /** Calendar month in UTC, such as `2026-07`. */
  period: string
  used: number
}

/** Calls that run now; one past its deadline counts no more. */
export interface QuotaReservationsTable {
  id: string
  organization_id: string
  environment: string
  capability: string
  period: string
  deadline: number
}

export interface IdempotencyRecordsTable {
  organization_id: string
  environment: string
  capability: string
  /** HMAC-SHA256 of the partner's idempotency key. */
  key_hash: Buffer
  /** HMAC-SHA256 of the request body. */
  body_hash: Buffer
  /** Identifies the execution that may store the answer. */
  execution_id: string
  /** Without an answer by then, another request may take over. */
  deadline: number
  expires_at: number
  /** Encrypted; null while the call runs. */
  answer: Buffer | null
}
