import { sql } from 'kysely'
import type { Database } from '../open-database.js'
import { StorageError } from '../storage-failure.js'

/** A server that has not answered a short query by then counts as unreachable. */
const PATIENCE_MS = 5_000

/**
 * Looks whether PostgreSQL answers, and is not a standby, which refuses to write.
 * @throws StorageError
 */
export async function probeServer(db: Database): Promise<void> {
  await withinPatience(async () => {
    const { rows } = await sql<{ is_standby: boolean }>`
      select pg_is_in_recovery() as is_standby
    `.execute(db)
    if (rows[0]?.is_standby) throw new StorageError('read_only')
  })
}

/** @throws StorageError `unreachable` when `work` takes too long; otherwise what it throws */
export async function withinPatience(work: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const isLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new StorageError('unreachable')), PATIENCE_MS)
    timer.unref()
  })
  try {
    await Promise.race([work(), isLate])
  } finally {
    clearTimeout(timer)
  }
}
