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
  accounts: AccountsTable
  account_identities: AccountIdentitiesTable
  memberships: MembershipsTable
  invitations: InvitationsTable
  password_resets: PasswordResetsTable
  portal_sessions: PortalSessionsTable
  sign_in_attempts: SignInAttemptsTable
  usage_hours: UsageHoursTable
  usage_days: UsageDaysTable
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
  /** Null in records from before there was this column. */
  organization_id: string | null
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

/** People who may sign in to the portal. E-mail addresses are here and in `invitations`, nowhere else. */
export interface AccountsTable {
  id: string
  /** In lower case. */
  email: string
  /** Argon2id in PHC form; null for somebody who only signs in through an identity provider. */
  password_hash: string | null
  created_at: number
  last_sign_in_at: number | null
}

/** An account as an identity provider (OpenID Connect) knows it. */
export interface AccountIdentitiesTable {
  issuer: string
  subject: string
  account_id: string
}

/** What an account may do in an organisation. */
export interface MembershipsTable {
  organization_id: string
  account_id: string
  role: string
  created_at: number
}

/** Open invitations; one that was used or withdrawn is deleted. */
export interface InvitationsTable {
  id: string
  /** HMAC-SHA256 of the token in the link with a subkey of the server secret. */
  token_hash: Buffer
  organization_id: string
  role: string
  /** In lower case; null when whoever has the link may use it. */
  email: string | null
  created_at: number
  expires_at: number
}

/** Open links for a new password; at most one for an account. */
export interface PasswordResetsTable {
  /** As in `invitations`. */
  token_hash: Buffer
  account_id: string
  expires_at: number
}

/** Signed-in browsers. */
export interface PortalSessionsTable {
  /** HMAC-SHA256 of the token in the cookie with a subkey of the server secret. */
  token_hash: Buffer
  account_id: string
  /** The organisation that the session looks at. */
  organization_id: string
  /** Browser and system in words, such as `Firefox on Windows`. */
  device: string
  created_at: number
  /** Written at most once a minute. */
  last_seen_at: number
}

/** Sign-ins of the last minutes that were not successful. */
export interface SignInAttemptsTable {
  id: Generated<number>
  /** HMAC-SHA256 of the account's e-mail address or of the client's address. */
  subject: Buffer
  at: number
}

/** Requests of known callers, of the last weeks. */
export interface UsageHoursTable extends UsageCount {
  /** Hours since the epoch. */
  hour: number
}

/** Requests of known callers, for good. */
export interface UsageDaysTable extends UsageCount {
  /** Days since the epoch. */
  day: number
}

interface UsageCount {
  scope_id: number
  capability: string
  /** `ok`, `replayed`, `client_left`, or the code of the error that was answered. */
  outcome: string
  /** See `latencyBucket`. */
  latency_bucket: number
  requests: number
}
