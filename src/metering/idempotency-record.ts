import type { Database } from '../database/open-database.js'
import { prepareQuery } from '../database/prepare-query.js'

export interface NewRecord {
  keyHash: Buffer
  bodyHash: Buffer
  executionId: string
  /** Time until which the execution must store its answer. */
  deadline: number
  expiresAt: number
  organizationId: string
}

/**
 * Creates a record unless a live one exists: an unexpired answer, or another execution before its deadline. It is a single
 * statement, so that exactly one of several concurrent claims succeeds.
 */
export async function claimRecord(db: Database, record: NewRecord, now: number): Promise<boolean> {
  const { numAffectedRows } = await upsertRecord(db, { ...record, now })
  return numAffectedRows === 1n
}

export async function findRecord(db: Database, keyHash: Buffer) {
  const { rows } = await selectRecord(db, { keyHash })
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

const upsertRecord = prepareQuery((db, value: NewRecord & { now: number }) =>
  db
    .insertInto('idempotency_records')
    .values({
      key_hash: value.keyHash,
      body_hash: value.bodyHash,
      execution_id: value.executionId,
      deadline: value.deadline,
      expires_at: value.expiresAt,
      organization_id: value.organizationId,
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
        }))
        .where((where) =>
          where.or([
            where('idempotency_records.expires_at', '<=', value.now),
            where.and([
              where('idempotency_records.answer', 'is', null),
              where('idempotency_records.execution_id', '=', value.executionId),
            ]),
            where.and([
              where('idempotency_records.answer', 'is', null),
              where('idempotency_records.deadline', '<=', value.now),
            ]),
          ]),
        ),
    ),
)

const selectRecord = prepareQuery((db, value: { keyHash: Buffer }) =>
  db
    .selectFrom('idempotency_records')
    .select(['body_hash', 'answer'])
    .where('key_hash', '=', value.keyHash),
)

const updateAnswer = prepareQuery(
  (db, value: { executionId: string; keyHash: Buffer; answer: Buffer }) =>
    db
      .updateTable('idempotency_records')
      .set({ answer: value.answer })
      .where('key_hash', '=', value.keyHash)
      .where('execution_id', '=', value.executionId),
)
