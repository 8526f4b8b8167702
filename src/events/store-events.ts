import { sql } from 'kysely'
import { isPostgres } from '../database/dialect.js'
import { lockFor } from '../database/lock-for.js'
import type { Database } from '../database/open-database.js'
import { ensureEventPartitions } from '../database/postgres/event-partitions.js'
import { rowsOf } from '../database/rows-of.js'
import { transactDurably } from '../database/transact-durably.js'
import { countActivity } from './count-activity.js'
import { countOutcomes } from './count-outcomes.js'
import type { EventScope } from './event-scope.js'
import type { EventRecord } from './events-contract.js'
import { claimKeys, excludeStored } from './new-events.js'
import { getOriginatingCalls } from './originating-calls.js'
import { toPartnerEvents, type PartnerEvent } from './partner-event.js'
import { refuseRecords } from './refuse-records.js'

/** Older than any partner's events; bounds the number of days and weeks in the counts. */
const EARLIEST = Date.UTC(2020, 0, 1)
/** Allows for clocks that differ. */
const MAX_AHEAD_MS = 24 * 60 * 60 * 1_000

export interface EventBatch {
  scope: EventScope
  /** In the shape of the contract. */
  records: readonly EventRecord[]
  /** Older events and calls are refused, because retention would delete them; milliseconds since the epoch. */
  oldest?: { event?: number | undefined; call?: number | undefined }
}

export interface StoredEvents {
  /** Records that were new. */
  accepted: number
  /** Records whose key was already in this batch or an earlier one. */
  duplicates: number
}

/**
 * Stores a batch of events and updates the analytics counts in one transaction, durably on disk. Because the counts are
 * updated here, the cost of analytics does not grow with the number of events.
 * @param now - milliseconds since the epoch
 * @throws ServiceError `invalid_request` with index and field
 */
export async function storeEvents(
  db: Database,
  { scope, records, oldest = {} }: EventBatch,
  now: number,
): Promise<StoredEvents> {
  refuseBadTimes(records, now, oldest.event)
  const calls = await getOriginatingCalls(db, { scope, records, oldestCall: oldest.call, now })
  const events = toPartnerEvents(records, calls)
  return transactDurably(db, async (transaction) => {
    // The counts are read and written below: batches of a scope take turns.
    await lockFor(transaction, 'events', calls.scopeId)
    const added = await selectNew(transaction, calls.scopeId, events)
    if (added.length > 0) {
      const endUserIds = await countActivity(transaction, calls.scopeId, added)
      await insertEvents(transaction, calls.scopeId, { events: added, endUserIds, now })
      await countOutcomes(transaction, calls.scopeId, added)
    }
    return { accepted: added.length, duplicates: records.length - added.length }
  })
}

function refuseBadTimes(
  records: readonly EventRecord[],
  now: number,
  oldest: number = EARLIEST,
): void {
  const earliest = Math.max(oldest, EARLIEST)
  refuseRecords(
    records.flatMap(({ ts }, index) => {
      const time = Date.parse(ts)
      if (time < earliest) {
        const message = `must not be before ${new Date(earliest).toISOString().slice(0, 10)}`
        return [{ index, field: 'ts', message }]
      }
      if (time <= now + MAX_AHEAD_MS) return []
      return [{ index, field: 'ts', message: 'must not be more than 24 hours in the future' }]
    }),
  )
}

async function selectNew(
  db: Database,
  scopeId: number,
  events: readonly PartnerEvent[],
): Promise<PartnerEvent[]> {
  if (!isPostgres(db)) return excludeStored(db, scopeId, events)
  await ensureEventPartitions(
    db,
    events.map(({ happenedAt }) => happenedAt),
  )
  return claimKeys(db, scopeId, events)
}

interface NewEvents {
  events: readonly PartnerEvent[]
  endUserIds: ReadonlyMap<string, number>
  now: number
}

const COLUMNS = {
  idempotency_key: 'hex',
  event: 'text',
  happened_at: 'integer',
  call_id: 'integer',
  opener_index: 'integer',
  end_user_id: 'integer',
} as const

async function insertEvents(
  db: Database,
  scopeId: number,
  { events, endUserIds, now }: NewEvents,
): Promise<void> {
  const rows = events.map((event) => [
    event.key,
    event.kind,
    event.happenedAt,
    event.call.id,
    event.openerIndex,
    endUserIds.get(event.endUserHash) as number,
  ])
  const names = sql.join(Object.keys(COLUMNS).map((name) => sql.ref(name)))
  await sql`
    insert into events (scope_id, received_at, ${names})
    select ${scopeId}, ${now}, ${names} from ${rowsOf(db, rows, COLUMNS)} as added
  `.execute(db)
}
