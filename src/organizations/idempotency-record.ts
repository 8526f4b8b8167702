import type { Database } from '../database/open-database.js'

export interface NewRecord {
  keyHash: Buffer
  bodyHash: Buffer
  executionId: string
  /** Until when the execution has to store its answer. */
  deadline: number
  /** When the record ends. */
  expiresAt: number
}

/**
 * Starts a record unless a live one is there: an answer that has not expired, or an execution before its deadline.
 * One statement, so of any number of claims one wins.
 */
export async function claimRecord(db: Database, record: NewRecord, now: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('idempotency_records')
    .values({
      key_hash: record.keyHash,
      body_hash: record.bodyHash,
      execution_id: record.executionId,
      deadline: record.deadline,
      expires_at: record.expiresAt,
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
            where('idempotency_records.expires_at', '<=', now),
            where.and([
              where('idempotency_records.answer', 'is', null),
              where('idempotency_records.deadline', '<=', now),
            ]),
          ]),
        ),
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export async function findRecord(db: Database, keyHash: Buffer) {
  return db
    .selectFrom('idempotency_records')
    .select(['body_hash', 'answer'])
    .where('key_hash', '=', keyHash)
    .executeTakeFirst()
}

/** Stores the answer; false when another execution has taken the record over. */
export async function storeAnswer(
  db: Database,
  executionId: string,
  { keyHash, answer }: { keyHash: Buffer; answer: Buffer },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('idempotency_records')
    .set({ answer })
    .where('key_hash', '=', keyHash)
    .where('execution_id', '=', executionId)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Ends a record without an answer, so that the key can be used again. */
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
