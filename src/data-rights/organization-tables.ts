import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Doomed } from '../database/erasing-database.js'

/** A table that holds rows of organisations. */
export interface OrganizationTable extends Pick<Doomed, 'table' | 'key'> {
  /** Which rows are of this organisation. */
  of: (organizationId: string) => RawBuilder<SqlBool>
  /** What the rows are, for the reader of an export. */
  about: string
  /** Columns that an export leaves out: hashes of secrets and sealed answers, which are of no use to anybody. */
  unexported?: readonly string[]
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
 * Every table with rows of organisations, what refers to rows before what is referred to. A table that is added to the
 * schema has to be added here or to `TABLES_OF_NOBODY`.
 */
export const ORGANIZATION_TABLES: readonly OrganizationTable[] = [
  {
    table: 'events',
    key: ['scope_id', 'idempotency_key'],
    of: scoped,
    about: 'Outcome events that were reported.',
  },
  {
    table: 'opener_outcomes',
    key: ['call_id', 'opener_index'],
    of: (id) =>
      sql`exists (select 1 from service_calls where id = call_id and scope_id in ${scopes(id)})`,
    about: 'What is known of each opener that an event named; index -1 stands for none named.',
  },
  {
    table: 'end_user_weeks',
    key: ['end_user_id', 'week'],
    of: (id) =>
      sql`exists (select 1 from end_users where id = end_user_id and scope_id in ${scopes(id)})`,
    about: 'Weeks in which an end user had an event, in weeks since that of 1970-01-01.',
  },
  {
    table: 'reply_rate_days',
    key: ['scope_id', 'day', 'tone', 'style'],
    of: scoped,
    about: 'Openers sent and replied to by day, tone and style, in sixtieths of an opener.',
  },
  {
    table: 'retention_cohorts',
    key: ['scope_id', 'first_week', 'week'],
    of: scoped,
    about: 'End users by the week of their first event, active in a week.',
  },
  {
    table: 'usage_hours',
    key: ['scope_id', 'hour', 'capability', 'outcome', 'latency_bucket'],
    of: scoped,
    about: 'Requests by hour (since the epoch), outcome and latency.',
  },
  {
    table: 'usage_days',
    key: ['scope_id', 'day', 'capability', 'outcome', 'latency_bucket'],
    of: scoped,
    about: 'Requests by day (since the epoch), outcome and latency.',
  },
  {
    table: 'service_calls',
    key: ['id'],
    of: scoped,
    about: 'Answered calls; of the openers, style and length.',
  },
  {
    table: 'end_users',
    key: ['id'],
    of: scoped,
    about: 'End users, by the hash that you computed of your identifier.',
  },
  {
    table: 'quota_usage',
    key: ['organization_id', 'environment', 'capability', 'period'],
    of: direct,
    about: 'Charged calls by calendar month.',
  },
  {
    table: 'quota_reservations',
    key: ['organization_id', 'environment', 'capability', 'period', 'id'],
    of: direct,
    about: 'Calls that ran at that moment.',
  },
  {
    table: 'idempotency_records',
    key: ['key_hash'],
    of: direct,
    about: 'Retries that would have been answered from memory.',
    unexported: ['key_hash', 'body_hash', 'answer'],
  },
  {
    table: 'api_key_secrets',
    key: ['secret_hash'],
    of: (id) => sql`key_id in ${ownKeys(id)}`,
    about: 'Secrets of the keys: their beginnings and times, never the secrets.',
    unexported: ['secret_hash'],
  },
  { table: 'api_keys', key: ['id'], of: direct, about: 'API keys.' },
  {
    table: 'portal_sessions',
    key: ['token_hash'],
    of: direct,
    about: 'Browsers that are signed in to the portal.',
    unexported: ['token_hash'],
  },
  {
    table: 'password_resets',
    key: ['token_hash'],
    of: ofOwnAccounts,
    about: 'Links to set a new password.',
    unexported: ['token_hash'],
  },
  {
    table: 'account_identities',
    key: ['issuer', 'subject'],
    of: ofOwnAccounts,
    about: 'Identities at a single sign-on provider.',
  },
  {
    table: 'accounts',
    key: ['id'],
    of: (id) => sql`id in ${ownAccounts(id)}`,
    about: 'Accounts of the portal that belong to no other organisation.',
    unexported: ['password_hash'],
  },
  {
    table: 'memberships',
    key: ['organization_id', 'account_id'],
    of: direct,
    about: 'Who may use the portal, in which role.',
  },
  {
    table: 'invitations',
    key: ['id'],
    of: direct,
    about: 'Invitations to the portal that wait.',
    unexported: ['token_hash'],
  },
  { table: 'audit_log', key: ['id'], of: direct, about: 'Who changed what, and when.' },
  {
    table: 'event_scopes',
    key: ['id'],
    of: direct,
    about: 'The numbers that stand for the environments in the other files.',
  },
  {
    table: 'organizations',
    key: ['id'],
    of: (id) => sql`id = ${id}`,
    about: 'The organisation with its plan.',
  },
]

/** Tables that hold nothing of an organisation. */
export const TABLES_OF_NOBODY: readonly string[] = [
  'service_metadata',
  // By a hash of who tried; swept within a day.
  'sign_in_attempts',
]
