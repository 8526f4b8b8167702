import { sql, type Kysely } from 'kysely'

/** Calls that events refer to, the events, and the counts that analytics read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createSources(db)
  await createReplyCounts(db)
  await createRetentionCounts(db)
}

async function createSources(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('event_scopes')
    .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('organization_id', 'text', (column) =>
      column.notNull().references('organizations.id'),
    )
    .addColumn('environment', 'text', (column) =>
      column.notNull().check(sql`environment in ('test', 'live')`),
    )
    .addUniqueConstraint('event_scopes_uq', ['organization_id', 'environment'])
    .modifyEnd(sql`strict`)
    .execute()

  await db.schema
    .createTable('service_calls')
    .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('scope_id', 'integer', (column) => column.notNull().references('event_scopes.id'))
    .addColumn('request_id', 'text', (column) => column.notNull().unique())
    .addColumn('capability', 'text', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('tone', 'text')
    .addColumn('openers', 'text')
    .modifyEnd(sql`strict`)
    .execute()

  await db.schema
    .createTable('end_users')
    .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('scope_id', 'integer', (column) => column.notNull().references('event_scopes.id'))
    .addColumn('hash', 'blob', (column) => column.notNull().check(sql`length(hash) = 32`))
    .addColumn('first_week', 'integer', (column) => column.notNull())
    .addUniqueConstraint('end_users_uq', ['scope_id', 'hash'])
    .modifyEnd(sql`strict`)
    .execute()

  await db.schema
    .createTable('events')
    .addColumn('scope_id', 'integer', (column) => column.notNull().references('event_scopes.id'))
    .addColumn('idempotency_key', 'blob', (column) =>
      column.notNull().check(sql`length(idempotency_key) = 16`),
    )
    .addColumn('event', 'text', (column) =>
      column.notNull().check(sql`event in ('opener_sent', 'conversation_reply')`),
    )
    .addColumn('happened_at', 'integer', (column) => column.notNull())
    .addColumn('received_at', 'integer', (column) => column.notNull())
    .addColumn('call_id', 'integer', (column) => column.notNull().references('service_calls.id'))
    .addColumn('opener_index', 'integer')
    .addColumn('end_user_id', 'integer', (column) => column.notNull().references('end_users.id'))
    .addPrimaryKeyConstraint('events_pk', ['scope_id', 'idempotency_key'])
    .modifyEnd(sql`strict, without rowid`)
    .execute()
}

async function createReplyCounts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('opener_outcomes')
    .addColumn('call_id', 'integer', (column) => column.notNull().references('service_calls.id'))
    .addColumn('opener_index', 'integer', (column) => column.notNull())
    .addColumn('sent_day', 'integer')
    .addColumn('replied', 'integer', (column) => column.notNull().check(sql`replied in (0, 1)`))
    .addPrimaryKeyConstraint('opener_outcomes_pk', ['call_id', 'opener_index'])
    .modifyEnd(sql`strict, without rowid`)
    .execute()

  await db.schema
    .createTable('reply_rate_days')
    .addColumn('scope_id', 'integer', (column) => column.notNull().references('event_scopes.id'))
    .addColumn('day', 'integer', (column) => column.notNull())
    .addColumn('tone', 'text', (column) => column.notNull())
    .addColumn('style', 'text', (column) => column.notNull())
    .addColumn('sent', 'integer', (column) => column.notNull())
    .addColumn('replied', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('reply_rate_days_pk', ['scope_id', 'day', 'tone', 'style'])
    .modifyEnd(sql`strict, without rowid`)
    .execute()
}

async function createRetentionCounts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('end_user_weeks')
    .addColumn('end_user_id', 'integer', (column) => column.notNull().references('end_users.id'))
    .addColumn('week', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('end_user_weeks_pk', ['end_user_id', 'week'])
    .modifyEnd(sql`strict, without rowid`)
    .execute()

  await db.schema
    .createTable('retention_cohorts')
    .addColumn('scope_id', 'integer', (column) => column.notNull().references('event_scopes.id'))
    .addColumn('first_week', 'integer', (column) => column.notNull())
    .addColumn('week', 'integer', (column) => column.notNull())
    .addColumn('users', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('retention_cohorts_pk', ['scope_id', 'first_week', 'week'])
    .modifyEnd(sql`strict, without rowid`)
    .execute()
}
