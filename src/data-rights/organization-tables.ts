import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { DeletionTarget } from '../database/delete-in-batches.js'

/** A table whose rows belong to organisations. */
export interface OrganizationTable extends Pick<DeletionTarget, 'table' | 'key'> {
  /** Condition that selects the rows of an organisation. */
  ownedBy: (organizationId: string) => RawBuilder<SqlBool>
  /** Description of the rows for readers of an export. */
  about: string
  /** Columns left out of an export: hashes of secrets and encrypted answers, which are useless to the partner. */
  excludedColumns?: readonly string[]
  /** What an export selects. Default: all columns. */
  columns?: RawBuilder<unknown>
}

const direct = (id: string) => sql<SqlBool>`organization_id = ${id}`
const scopes = (id: string) => sql`(select id from event_scopes where organization_id = ${id})`
const scoped = (id: string) => sql<SqlBool>`scope_id in ${scopes(id)}`
const ownKeys = (id: string) => sql`(select id from api_keys where organization_id = ${id})`

/** Accounts that belong to no other organisation. */
const ownAccounts = (id: string) => sql`(
  select account_id from memberships as own where organization_id = ${id} and not exists (
    select 1 from memberships as other
    where other.account_id = own.account_id and other.organization_id <> ${id}
  )
)`
const ofOwnAccounts = (id: string) => sql<SqlBool>`account_id in ${ownAccounts(id)}`

/**
 * Every table with rows of organisations, referencing tables before referenced ones. Add each new table here or to
 * `UNOWNED_TABLES`.
 */
export const ORGANIZATION_TABLES: readonly OrganizationTable[] = [
  {
    table: 'events',
    key: ['scope_id', 'idempotency_key'],
    ownedBy: scoped,
    about: 'Reported outcome events.',
  },
  {
    table: 'opener_outcomes',
    key: ['call_id', 'opener_index'],
    ownedBy: (id) =>
      sql`exists (select 1 from service_calls where id = call_id and scope_id in ${scopes(id)})`,
    about:
      'Outcome of each opener that an event refers to; index -1 for events that name no opener.',
  },
  {
    table: 'end_user_weeks',
    key: ['end_user_id', 'week'],
    ownedBy: (id) =>
      sql`exists (select 1 from end_users where id = end_user_id and scope_id in ${scopes(id)})`,
    about: 'Weeks in which an end user had an event, numbered from the week of 1970-01-01.',
  },
  {
    table: 'reply_rate_days',
    key: ['scope_id', 'day', 'tone', 'style'],
    ownedBy: scoped,
    about: 'Openers sent and replied to, by day, tone and style, in sixtieths of an opener.',
  },
  {
    table: 'learning_evidence',
    key: ['scope_id', 'day', 'tone', 'style', 'is_question', 'detail', 'length_band', 'score_band'],
    ownedBy: scoped,
    about:
      'Openers sent and replied to within the attribution window, by day and kind of opener, in sixtieths of an opener.',
  },
  {
    table: 'learning_buckets',
    key: ['scope_id', 'day', 'arm', 'bucket'],
    ownedBy: scoped,
    about:
      'Openers sent and replied to, by day, arm of the comparison, and bucket that end users fall into, in sixtieths of an opener.',
  },
  {
    table: 'learning_settings',
    key: ['scope_id'],
    ownedBy: scoped,
    about: 'What you set for learning; days are counted from 1970-01-01.',
  },
  {
    table: 'retention_cohorts',
    key: ['scope_id', 'first_week', 'week'],
    ownedBy: scoped,
    about: 'Number of end users active in a week, by the week of their first event.',
  },
  {
    table: 'usage_hours',
    key: ['scope_id', 'hour', 'capability', 'outcome', 'latency_bucket'],
    ownedBy: scoped,
    about: 'Requests by hour (since the epoch), outcome and latency.',
  },
  {
    table: 'usage_days',
    key: ['scope_id', 'day', 'capability', 'outcome', 'latency_bucket'],
    ownedBy: scoped,
    about: 'Requests by day (since the epoch), outcome and latency.',
  },
  {
    table: 'service_calls',
    key: ['id'],
    ownedBy: scoped,
    about:
      'Answered calls, with style, length and traits of their openers, and how they were chosen.',
  },
  {
    table: 'end_users',
    key: ['id'],
    ownedBy: scoped,
    about: 'End users, identified by the hash that you computed of your user id.',
  },
  {
    table: 'quota_usage',
    key: ['organization_id', 'environment', 'capability', 'period'],
    ownedBy: direct,
    about: 'Charged calls by calendar month.',
    columns: sql`organization_id, environment, capability, period, admitted - (
      select count(*) from quota_leases as leases
      where leases.organization_id = quota_usage.organization_id and leases.environment = quota_usage.environment
        and leases.capability = quota_usage.capability and leases.period = quota_usage.period
    ) as used`,
  },
  {
    table: 'quota_leases',
    key: ['organization_id', 'environment', 'capability', 'period', 'id'],
    ownedBy: direct,
    about: 'Calls in progress at the time of the export.',
  },
  {
    table: 'idempotency_records',
    key: ['key_hash'],
    ownedBy: direct,
    about: 'Idempotency records, from which retries are answered.',
    excludedColumns: ['key_hash', 'body_hash', 'answer', 'failure', 'replica_id'],
  },
  {
    table: 'api_key_secrets',
    key: ['secret_hash'],
    ownedBy: (id) => sql`key_id in ${ownKeys(id)}`,
    about: 'Secrets of the keys: first characters and times, never the secrets themselves.',
    excludedColumns: ['secret_hash'],
  },
  { table: 'api_keys', key: ['id'], ownedBy: direct, about: 'API keys.' },
  {
    table: 'portal_sessions',
    key: ['token_hash'],
    ownedBy: direct,
    about: 'Browsers signed in to the portal.',
    excludedColumns: ['token_hash'],
  },
  {
    table: 'password_resets',
    key: ['token_hash'],
    ownedBy: ofOwnAccounts,
    about: 'Password reset links.',
    excludedColumns: ['token_hash'],
  },
  {
    table: 'account_identities',
    key: ['issuer', 'subject'],
    ownedBy: ofOwnAccounts,
    about: 'Identities at a single sign-on provider.',
  },
  {
    table: 'account_passkeys',
    key: ['id'],
    ownedBy: ofOwnAccounts,
    about: 'Passkeys: where and when they were added, not their keys.',
    excludedColumns: ['public_key'],
  },
  {
    table: 'accounts',
    key: ['id'],
    ownedBy: (id) => sql`id in ${ownAccounts(id)}`,
    about: 'Portal accounts that belong to no other organisation.',
    excludedColumns: ['password_hash'],
  },
  {
    table: 'memberships',
    key: ['organization_id', 'account_id'],
    ownedBy: direct,
    about: 'Members of the organisation and their roles.',
  },
  {
    table: 'invitations',
    key: ['id'],
    ownedBy: direct,
    about: 'Pending invitations to the portal.',
    excludedColumns: ['token_hash'],
  },
  { table: 'audit_log', key: ['id'], ownedBy: direct, about: 'Changes: who made them, and when.' },
  {
    table: 'event_scopes',
    key: ['id'],
    ownedBy: direct,
    about: 'The ids that stand for the environments in the other files.',
  },
  {
    table: 'organizations',
    key: ['id'],
    ownedBy: (id) => sql`id = ${id}`,
    about: 'The organisation and its plan.',
  },
]

/** Tables without rows of organisations. */
export const UNOWNED_TABLES: readonly string[] = [
  'service_metadata',
  // Keyed hashes, which stay when the entries are erased.
  'audit_chain',
  // Identified by hashes and swept within a day.
  'sign_in_attempts',
]
