import { sql, type Kysely } from 'kysely'

/** What is remembered of released openers, the outcomes that the learner reads, and its settings. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('service_calls').addColumn('selection', 'text').execute()
  await db.schema.alterTable('opener_outcomes').addColumn('replied_day', 'integer').execute()
  await createEvidence(db)
  await createBuckets(db)
  await createSettings(db)
}

async function createEvidence(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('learning_evidence')
    .addColumn('scope_id', 'integer', (column) => column.notNull().references('event_scopes.id'))
    .addColumn('day', 'integer', (column) => column.notNull())
    .addColumn('tone', 'text', (column) => column.notNull())
    .addColumn('style', 'text', (column) => column.notNull())
    .addColumn('is_question', 'integer', (column) => column.notNull())
    .addColumn('detail', 'text', (column) => column.notNull())
    .addColumn('length_band', 'integer', (column) => column.notNull())
    .addColumn('score_band', 'integer', (column) => column.notNull())
    .addColumn('sent', 'integer', (column) => column.notNull())
    .addColumn('replied', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('learning_evidence_pk', [
      'scope_id',
      'day',
      'tone',
      'style',
      'is_question',
      'detail',
      'length_band',
      'score_band',
    ])
    .modifyEnd(sql`strict, without rowid`)
    .execute()
}

async function createBuckets(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('learning_buckets')
    .addColumn('scope_id', 'integer', (column) => column.notNull().references('event_scopes.id'))
    .addColumn('day', 'integer', (column) => column.notNull())
    .addColumn('arm', 'text', (column) =>
      column.notNull().check(sql`arm in ('learned', 'control')`),
    )
    .addColumn('bucket', 'integer', (column) => column.notNull())
    .addColumn('sent', 'integer', (column) => column.notNull())
    .addColumn('replied', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('learning_buckets_pk', ['scope_id', 'day', 'arm', 'bucket'])
    .modifyEnd(sql`strict, without rowid`)
    .execute()
}

async function createSettings(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('learning_settings')
    .addColumn('scope_id', 'integer', (column) =>
      column.primaryKey().notNull().references('event_scopes.id'),
    )
    .addColumn('state', 'text', (column) =>
      column.notNull().check(sql`state in ('on', 'paused', 'off')`),
    )
    .addColumn('control_percent', 'integer', (column) => column.notNull())
    .addColumn('learns_from_day', 'integer')
    .addColumn('learns_until_day', 'integer')
    .addColumn('measured_from_day', 'integer')
    .modifyEnd(sql`strict, without rowid`)
    .execute()
}
