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
  event_scopes: EventScopesTable
  service_calls: ServiceCallsTable
  end_users: EndUsersTable
  events: EventsTable
  opener_outcomes: OpenerOutcomesTable
  reply_rate_days: ReplyRateDaysTable
  end_user_weeks: EndUserWeeksTable
  retention_cohorts: RetentionCohortsTable
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
  /** Written at most once a minute. */
  last_used_at: number | null
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
  organization_id: string
  environment: string
  capability: string
  period: string
  id: string
  deadline: number
}

export interface IdempotencyRecordsTable {
  /** HMAC-SHA256 of organisation, environment, capability and the partner's idempotency key. */
  key_hash: Buffer
  /** HMAC-SHA256 of the request body with a key that takes the partner's idempotency key to derive. */
  body_hash: Buffer
  /** Identifies the execution that may store the answer. */
  execution_id: string
  /** Without an answer by then, another request may take over. */
  deadline: number
  expires_at: number
  /** Encrypted; null while the call runs. */
  answer: Buffer | null
}

/** An organisation in one of its environments, as the small number that the tables of events use. */
export interface EventScopesTable {
  id: Generated<number>
  organization_id: string
  environment: string
}

/** Answered calls, which events refer to; nothing of what went in or came out. */
export interface ServiceCallsTable {
  id: Generated<number>
  scope_id: number
  request_id: string
  capability: string
  created_at: number
  /** Of a call for openers; null otherwise. */
  tone: string | null
  /** JSON array of `{ style, length }` by opener index; null for other calls. */
  openers: string | null
}

export interface EndUsersTable {
  id: Generated<number>
  scope_id: number
  /** SHA-256 that the partner computed of its own identifier. */
  hash: Buffer
  /** Week of the earliest event: weeks start on Monday in UTC, week 0 holds 1970-01-01. */
  first_week: number
}

/** Every event ever accepted; the tables below are counted from it. */
export interface EventsTable {
  scope_id: number
  /** The 16 bytes of the UUID. */
  idempotency_key: Buffer
  event: string
  happened_at: number
  received_at: number
  call_id: number
  opener_index: number | null
  end_user_id: number
}

/** What is known of each opener that an event named. */
export interface OpenerOutcomesTable {
  call_id: number
  /** -1 for events that named no opener. */
  opener_index: number
  /** Day of the earliest `opener_sent`, in days since the epoch; null while there is none. */
  sent_day: number | null
  replied: number
}

/** Openers by the day on which they were sent, in sixtieths of an opener. */
export interface ReplyRateDaysTable {
  scope_id: number
  day: number
  tone: string
  style: string
  sent: number
  replied: number
}

/** Weeks in which an end user had an event. */
export interface EndUserWeeksTable {
  end_user_id: number
  week: number
}

/** End users by the week of their first event, active in `week`. */
export interface RetentionCohortsTable {
  scope_id: number
  first_week: number
  week: number
  users: number
}
