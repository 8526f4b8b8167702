import { sql, type RawBuilder } from 'kysely'
import { databaseTime, POSTGRES_TIME } from '../database/database-time.js'
import { isPostgres } from '../database/dialect.js'
import type { Database } from '../database/open-database.js'
import { isAlive } from '../database/postgres/replica.js'
import { WITHOUT_WAIT } from '../database/postgres/without-wait.js'
import { prepareQuery } from '../database/prepare-query.js'

/** How long the outcome of a failed execution is kept for duplicates that wait in other replicas; they look more often. */
const FAILURE_TTL_MS = 5_000

export interface NewRecord {
  keyHash: Buffer
  bodyHash: Buffer
  executionId: string
  /** The replica that executes; null on SQLite. */
  replicaId: string | null
  /** Time until which the execution must store its answer. */
  deadline: number
  expiresAt: number
  organizationId: string
}

/**
 * Creates a record unless a live one exists: an unexpired answer, or another execution before its deadline whose replica lives.
 * It is a single statement, so that exactly one of several concurrent claims succeeds. On PostgreSQL it does not wait for the disk: the
 * answer is stored later and waits, and an execution whose claim was lost in a crash cannot store one.
 * @param now - by the same clock as the times of the record
 */
export async function claimRecord(db: Database, record: NewRecord, now: number): Promise<boolean> {
  const timeLeftMs = Math.round(record.deadline - now)
  const { numAffectedRows } = await upsertRecord(db, { ...record, timeLeftMs, now })
  return numAffectedRows === 1n
}

export interface FoundRecord {
  body_hash: Buffer
  /** Encrypted; null while the call runs, and after it failed. */
  answer: Buffer | null
  /** Encrypted error of an execution that has just failed; always null on SQLite. */
  failure: Buffer | null
  /** Whether it gives way to another execution. */
  is_claimable: boolean | number
}

export async function findRecord(
  db: Database,
  keyHash: Buffer,
  now: number,
): Promise<FoundRecord | undefined> {
  const { rows } = await selectRecord(db, { keyHash, now })
  return rows[0]
}

/** Stores the answer; returns false if another execution has taken over the record. */
export async function storeAnswer(
  db: Database,
  executionId: string,
  { keyHash, answer }: { keyHash: Buffer; answer: Buffer },
): Promise<boolean> {
  const { numAffectedRows } = await updateAnswer(db, { executionId, keyHash, answer })
  return numAffectedRows === 1n
}

/**
 * Leaves the error of an execution for duplicates that wait in other replicas. The key can be used again at once. Only for
 * PostgreSQL: the duplicates of one process share the error in its memory.
 */
export async function storeFailure(
  db: Database,
  executionId: string,
  { keyHash, failure, now }: { keyHash: Buffer; failure: Buffer; now: number },
): Promise<void> {
  await db
    .updateTable('idempotency_records')
    .set({ failure, expires_at: now + FAILURE_TTL_MS })
    .where('key_hash', '=', keyHash)
    .where('execution_id', '=', executionId)
    .where('answer', 'is', null)
    .execute()
}

/** Deletes a record without an answer, so that the key can be used again. */
export async function deleteRecord(
  db: Database,
  executionId: string,
  keyHash: Buffer,
): Promise<void> {
  await db
    .deleteFrom('idempotency_records')
    .where('key_hash', '=', keyHash)
    .where('execution_id', '=', executionId)
    .where('answer', 'is', null)
    .execute()
}

/** As `deleteRecord`, for several. */
export async function deleteRecords(
  db: Database,
  records: readonly { keyHash: Buffer; executionId: string }[],
): Promise<void> {
  if (records.length === 0) return
  await db
    .deleteFrom('idempotency_records')
    .where(
      'key_hash',
      'in',
      records.map(({ keyHash }) => keyHash),
    )
    .where(
      'execution_id',
      'in',
      records.map(({ executionId }) => executionId),
    )
    .where('answer', 'is', null)
    .execute()
}

const upsertRecord = prepareQuery((db, value: NewRecord & { timeLeftMs: number; now: number }) =>
  db
    .insertInto('idempotency_records')
    .values({
      key_hash: value.keyHash,
      body_hash: value.bodyHash,
      execution_id: value.executionId,
      deadline: value.deadline,
      expires_at: value.expiresAt,
      organization_id: value.organizationId,
      ...(isPostgres(db) && {
        deadline: sql<number>`${POSTGRES_TIME} + ${value.timeLeftMs}`,
        replica_id: sql<string>`case when ${WITHOUT_WAIT} then cast(${value.replicaId} as text) end`,
      }),
    })
    .onConflict((conflict) =>
      conflict
        .column('key_hash')
        .doUpdateSet((set) => ({
          body_hash: set.ref('excluded.body_hash'),
          execution_id: set.ref('excluded.execution_id'),
          deadline: set.ref('excluded.deadline'),
          expires_at: set.ref('excluded.expires_at'),
          answer: null,
          ...(isPostgres(db) && { replica_id: set.ref('excluded.replica_id'), failure: null }),
        }))
        .where((where) =>
          where.or([
            isClaimable(db, value.now),
            where.and([
              where('idempotency_records.answer', 'is', null),
              where('idempotency_records.execution_id', '=', value.executionId),
            ]),
          ]),
        ),
    ),
)

const selectRecord = prepareQuery((db, value: { keyHash: Buffer; now: number }) =>
  db
    .selectFrom('idempotency_records')
    .select(['body_hash', 'answer', isClaimable(db, value.now).as('is_claimable')])
    .select(
      isPostgres(db)
        ? sql.ref<Buffer | null>('failure').as('failure')
        : sql<null>`null`.as('failure'),
    )
    .where('key_hash', '=', value.keyHash),
)

/** Whether a record has expired, or its execution has failed, or not answered in time, or died with its replica. */
function isClaimable(db: Database, now: number): RawBuilder<boolean> {
  const isLate = sql`idempotency_records.deadline <= ${databaseTime(db, now)}`
  const isOver = isPostgres(db)
    ? sql`${isLate} or idempotency_records.failure is not null
        or idempotency_records.replica_id is not null
          and not ${isAlive(sql.ref('idempotency_records.replica_id'))}`
    : isLate
  return sql<boolean>`(
    idempotency_records.expires_at <= ${now} or idempotency_records.answer is null and (${isOver})
  )`
}

const updateAnswer = prepareQuery(
  (db, value: { executionId: string; keyHash: Buffer; answer: Buffer }) =>
    db
      .updateTable('idempotency_records')
      .set({ answer: value.answer })
      .where('key_hash', '=', value.keyHash)
      .where('execution_id', '=', value.executionId),
)
