import type { Database } from '../open-database.js'
import { ensureEventPartitions, partitionOf } from './event-partitions.js'

const INTERVAL_MS = 24 * 60 * 60 * 1_000

export interface AheadOptions {
  db: Database
  clock: () => number
  /** Called when they cannot be created; storing events then creates them. */
  onError: (error: unknown) => void
}

/** Creates the partitions of this month and the next now, and once a day, until the returned function is called. */
export async function keepPartitionsAhead({
  db,
  clock,
  onError,
}: AheadOptions): Promise<() => Promise<void>> {
  const create = () => createAhead(db, clock())
  await create()
  let creating = Promise.resolve()
  const timer = setInterval(() => {
    creating = create().catch(onError)
  }, INTERVAL_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await creating
  }
}

async function createAhead(db: Database, now: number): Promise<void> {
  await db
    .transaction()
    .execute((transaction) => ensureEventPartitions(transaction, [now, partitionOf(now).to]))
}
