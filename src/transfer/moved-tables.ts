import { TRANSFER } from '../database/postgres/transfer-state.js'

interface MovedTable {
  table: string
  /** Its integers outside of the key that are never null are counters, whose sums the report states. */
  hasCounts?: boolean
}

/** What a transfer moves, a table after those that it refers to. Keys and columns are those that the databases state. */
export const MOVED_TABLES: readonly MovedTable[] = [
  { table: 'service_metadata' },
  { table: 'organizations' },
  { table: 'api_keys' },
  { table: 'api_key_secrets' },
  { table: 'audit_log' },
  { table: 'audit_chain' },
  { table: 'quota_usage', hasCounts: true },
  // Of calls that a server which died has left: they end at their deadlines.
  { table: 'quota_leases' },
  { table: 'idempotency_records' },
  { table: 'accounts' },
  { table: 'account_identities' },
  { table: 'account_passkeys' },
  { table: 'memberships' },
  { table: 'invitations' },
  { table: 'password_resets' },
  { table: 'portal_sessions' },
  // A few minutes of them: a transfer gives nobody more attempts.
  { table: 'sign_in_attempts' },
  { table: 'event_scopes' },
  { table: 'usage_hours', hasCounts: true },
  { table: 'usage_days', hasCounts: true },
  { table: 'service_calls' },
  { table: 'end_users' },
  { table: 'events' },
  { table: 'end_user_weeks' },
  { table: 'opener_outcomes', hasCounts: true },
  { table: 'reply_rate_days', hasCounts: true },
  { table: 'retention_cohorts', hasCounts: true },
  { table: 'learning_evidence', hasCounts: true },
  { table: 'learning_buckets', hasCounts: true },
  { table: 'learning_settings' },
]

/** Tables of either database that a transfer does not copy, and why. */
export const NOT_MOVED: Readonly<Record<string, string>> = {
  event_keys: 'written with the events, from their keys',
  rate_windows: 'of the last minute',
  replicas: 'the servers that run',
}

/** Entries of `service_metadata` that belong to the PostgreSQL database itself. */
export const OWN_METADATA = ['oldest_compatible_schema', TRANSFER] as const
