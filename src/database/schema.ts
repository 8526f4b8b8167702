import type { Generated } from 'kysely'

/**
 * The tables after all migrations. Times are milliseconds since the epoch, hashes are 32 bytes, lists and details are
 * JSON text.
 */
export interface Tables {
  organizations: OrganizationsTable
  api_keys: ApiKeysTable
  api_key_secrets: ApiKeySecretsTable
  audit_log: AuditLogTable
  audit_chain: AuditChainTable
  service_metadata: ServiceMetadataTable
  quota_usage: QuotaUsageTable
  quota_leases: QuotaLeasesTable
  idempotency_records: IdempotencyRecordsTable
  replicas: ReplicasTable
  event_scopes: EventScopesTable
  service_calls: ServiceCallsTable
  end_users: EndUsersTable
  events: EventsTable
  opener_outcomes: OpenerOutcomesTable
  reply_rate_days: ReplyRateDaysTable
  learning_evidence: LearningEvidenceTable
  learning_buckets: LearningBucketsTable
  learning_settings: LearningSettingsTable
  end_user_weeks: EndUserWeeksTable
  retention_cohorts: RetentionCohortsTable
  accounts: AccountsTable
  account_identities: AccountIdentitiesTable
  account_passkeys: AccountPasskeysTable
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

/** Current and former secrets of a key. Expired ones are kept, to distinguish an old secret from an unknown one. */
export interface ApiKeySecretsTable {
  /** HMAC-SHA256 of the whole secret with a subkey of the server secret. */
  secret_hash: Buffer
  key_id: string
  /** First characters of the secret, shown in lists. */
  prefix: string
  created_at: number
  /** End of the grace period after a rotation; null for the current secret. */
  expires_at: number | null
  /** Written at most once a minute. */
  last_used_at: number | null
}

/** Who changed what, and when; never contains a secret. */
export interface AuditLogTable {
  id: Generated<number>
  at: number
  actor: string
  action: string
  organization_id: string
  /** Id of the changed object. */
  subject: string
  /** JSON object. */
  details: string
}

/** Links of the chain over the audit log, which outlive the entries of erased organisations. */
export interface AuditChainTable {
  /** Id of the entry. */
  id: number
  /** HMAC-SHA256 of the entry with a subkey of the server secret. */
  entry_hash: Buffer
  /** HMAC-SHA256 of the link before and the entry's hash. */
  hash: Buffer
  /** Proof that the service erased the entry; null while the entry exists. */
  erasure: Buffer | null
}

export interface ServiceMetadataTable {
  name: string
  value: Buffer
}

/** Permits for calls, by calendar month: each is leased to a running call or was charged. */
export interface QuotaUsageTable {
  organization_id: string
  environment: string
  capability: string
  /** Calendar month in UTC, such as `2026-07`. */
  period: string
  admitted: number
}

/** Permits of running calls; one past its deadline can no longer be charged and is returned. */
export interface QuotaLeasesTable {
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
  /** HMAC-SHA256 of the request body; its key can only be derived with the partner's idempotency key. */
  body_hash: Buffer
  /** Identifies the execution that may store the answer. */
  execution_id: string
  /** After this time another request may take over an execution without an answer. On PostgreSQL by the clock of the database. */
  deadline: number
  expires_at: number
  /** Encrypted; null while the call runs. */
  answer: Buffer | null
  /** Null in records older than this column. */
  organization_id: string | null
  /** The replica that executes the request. PostgreSQL only. */
  replica_id: string | null
  /** Encrypted error of an execution that has failed. PostgreSQL only. */
  failure: Buffer | null
}

/** The servers that use a PostgreSQL database. SQLite, which has one, lacks this table. */
export interface ReplicasTable {
  /** Chosen by the process when it starts. */
  id: string
  /** When it last wrote that it lives, by the clock of the database. */
  beat_at: number
}

/** A small integer for an organisation in one environment; the event and usage tables refer to it. */
export interface EventScopesTable {
  id: Generated<number>
  organization_id: string
  environment: string
}

/** Answered calls, which events refer to; without request or response content. */
export interface ServiceCallsTable {
  id: Generated<number>
  scope_id: number
  request_id: string
  capability: string
  created_at: number
  /** Requested tone of an openers call; null for other calls. */
  tone: string | null
  /** JSON array by opener index, see `events/written-openers.ts`; null for other calls. */
  openers: string | null
  /** JSON object: how the styles of an openers call were chosen; null while learning is off, and for other calls. */
  selection: string | null
}

export interface EndUsersTable {
  id: Generated<number>
  scope_id: number
  /** SHA-256 of the partner's own user id, computed by the partner. */
  hash: Buffer
  /** Week of the earliest event: weeks start on Monday in UTC, week 0 holds 1970-01-01. */
  first_week: number
}

/** All accepted events; the tables below are aggregated from them. */
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

/** Outcome of each opener that an event refers to. */
export interface OpenerOutcomesTable {
  call_id: number
  /** -1 for events that name no opener. */
  opener_index: number
  /** Day of the earliest `opener_sent`, in days since the epoch; null while there is none. */
  sent_day: number | null
  replied: number
  /** Day of the earliest reply, in days since the epoch; null while there is none, and in rows older than this column. */
  replied_day: number | null
}

/** Openers by the day they were sent, counted in sixtieths of an opener. */
export interface ReplyRateDaysTable {
  scope_id: number
  day: number
  tone: string
  style: string
  sent: number
  replied: number
}

/**
 * Openers by the day they were sent and by their traits, counted in sixtieths of an opener. `replied` counts replies
 * within the attribution window.
 */
export interface LearningEvidenceTable {
  scope_id: number
  day: number
  tone: string
  style: string
  /** 0 or 1. */
  is_question: number
  /** `photo`, `bio`, `shared` or `none`. */
  detail: string
  length_band: number
  score_band: number
  sent: number
  replied: number
}

/**
 * Openers by the day they were sent, by arm, and by the bucket that their end user falls into, counted in sixtieths of an
 * opener. Buckets, not end users: for the variance of a reply rate among people who send several openers.
 */
export interface LearningBucketsTable {
  scope_id: number
  day: number
  /** `learned` or `control`. */
  arm: string
  bucket: number
  sent: number
  replied: number
}

/** What a partner set for the learner of one environment; no row: the defaults. Days are days since the epoch. */
export interface LearningSettingsTable {
  scope_id: number
  /** `on`, `paused` or `off`. */
  state: string
  control_percent: number
  /** Openers sent before this day are not learnt from; set by a reset. */
  learns_from_day: number | null
  /** While paused: openers sent after this day are not learnt from. */
  learns_until_day: number | null
  /** The comparison with the control group starts at this day: the last change of its share, or a reset. */
  measured_from_day: number | null
}

/** Weeks in which an end user had at least one event. */
export interface EndUserWeeksTable {
  end_user_id: number
  week: number
}

/** Number of end users active in `week`, by the week of their first event. */
export interface RetentionCohortsTable {
  scope_id: number
  first_week: number
  week: number
  users: number
}

/** People who may sign in to the portal. Only this table and `invitations` hold e-mail addresses. */
export interface AccountsTable {
  id: string
  /**
   * In lower case: the verified address, or a name without `@`. Accounts older than verification may have an address
   * here that nobody verified; it counts as a name.
   */
  sign_in_name: string
  /** The verified address, in lower case. */
  email: string | null
  /** Argon2id in PHC format; null for an account that only signs in through an identity provider. */
  password_hash: string | null
  created_at: number
  last_sign_in_at: number | null
}

/** Identity of an account at an OpenID Connect provider. */
export interface AccountIdentitiesTable {
  issuer: string
  subject: string
  account_id: string
}

/** WebAuthn credential of an account. */
export interface AccountPasskeysTable {
  /** Id that the authenticator chose, in base64url. */
  id: string
  account_id: string
  /** In COSE format. */
  public_key: Buffer
  /** How often the authenticator signed, if it counts. */
  counter: number
  /** The browser in which it was added, such as `Firefox on Windows`. */
  device: string
  created_at: number
  last_used_at: number | null
}

/** Role of an account in an organisation. */
export interface MembershipsTable {
  organization_id: string
  account_id: string
  role: string
  created_at: number
}

/** Open invitations; deleted once used or withdrawn. */
export interface InvitationsTable {
  id: string
  /** HMAC-SHA256 of the link's token with a subkey of the server secret. */
  token_hash: Buffer
  organization_id: string
  role: string
  /** In lower case; null if anyone with the link may use it. */
  email: string | null
  created_at: number
  expires_at: number
}

/** Open password reset links; at most one for each account. */
export interface PasswordResetsTable {
  /** As in `invitations`. */
  token_hash: Buffer
  account_id: string
  expires_at: number
}

/** Signed-in browsers. */
export interface PortalSessionsTable {
  /** HMAC-SHA256 of the cookie's token with a subkey of the server secret. */
  token_hash: Buffer
  account_id: string
  /** The organisation selected in this session. */
  organization_id: string
  /** Browser and operating system, such as `Firefox on Windows`. */
  device: string
  created_at: number
  /** Written at most once a minute. */
  last_seen_at: number
}

/** Failed sign-ins of the last minutes. */
export interface SignInAttemptsTable {
  id: Generated<number>
  /** HMAC-SHA256 of the account's e-mail address or the client's IP address. */
  subject: Buffer
  at: number
}

/** Hourly request counts of authenticated callers, kept for some weeks. */
export interface UsageHoursTable extends UsageCount {
  /** Hours since the epoch. */
  hour: number
}

/** Daily request counts of authenticated callers, kept indefinitely. */
export interface UsageDaysTable extends UsageCount {
  /** Days since the epoch. */
  day: number
}

interface UsageCount {
  scope_id: number
  capability: string
  /** `ok`, `replayed`, `client_left`, or an error code. */
  outcome: string
  /** See `latencyBucket`. */
  latency_bucket: number
  requests: number
}
