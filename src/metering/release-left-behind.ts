import type { Database } from '../database/open-database.js'
import { StorageError } from '../database/storage-failure.js'
import { deleteRecords } from './idempotency-record.js'
import type { LocalExecutions } from './local-executions.js'

const RETRY_MS = 1_000
const BATCH_RECORDS = 500

/**
 * Deletes the records of executions that are over once the database can be written again: other replicas would wait for their
 * deadlines, since this one lives.
 * @returns begins to try; call it whenever an execution was left behind
 */
export function createReleaser(db: Database, executions: LocalExecutions): () => void {
  let timer: NodeJS.Timeout | undefined

  function schedule(): void {
    timer ??= setTimeout(() => void release(), RETRY_MS).unref()
  }

  async function release(): Promise<void> {
    timer = undefined
    const records = executions.takeLeftBehind(BATCH_RECORDS)
    if (records.length === 0) return
    try {
      await deleteRecords(db, records)
      schedule()
    } catch (error) {
      for (const { keyHash, executionId } of records) executions.leaveBehind(keyHash, executionId)
      if (error instanceof StorageError) schedule()
    }
  }

  return schedule
}
