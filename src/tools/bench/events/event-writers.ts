import path from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { databaseFile, openDatabase, type Database } from '../../../database/open-database.js'
import type { EventRecord } from '../../../events/events-contract.js'
import { storeEvents } from '../../../events/store-events.js'
import { SCOPE, YEAR_END, type EventSource } from './synthetic-events.js'

/** One way to store events in a database of its own. */
export interface EventWriter {
  /** Does the work that is not measured: looks up what `store` needs. */
  prepare: (records: readonly EventRecord[]) => void
  store: (records: readonly EventRecord[]) => unknown
  close: () => unknown
}

/** Stores events as the service does. */
export async function openServiceWriter(
  dataDir: string,
  source: EventSource,
): Promise<EventWriter & { db: Database }> {
  const db = await openDatabase(dataDir)
  await source.prepare(db)
  return {
    db,
    prepare: () => {},
    store: (records) => storeEvents(db, { scope: SCOPE, records }, YEAR_END),
    close: () => db.destroy(),
  }
}

/**
 * Inserts into the events table alone with better-sqlite3, with every id that the service looks up known in advance.
 * @param synchronous - `full` syncs every commit, `normal` does not
 */
export async function openPlainWriter(
  dataDir: string,
  source: EventSource,
  synchronous: 'full' | 'normal',
): Promise<EventWriter> {
  const service = await openServiceWriter(dataDir, source)
  await service.close()
  const sqlite = new BetterSqlite3(databaseFile(path.resolve(dataDir)))
  for (const pragma of ['journal_mode = wal', 'fullfsync = on', 'foreign_keys = on']) {
    sqlite.pragma(pragma)
  }
  sqlite.pragma(`synchronous = ${synchronous}`)
  const callIds = readCallIds(sqlite)
  const userIds = new Map<string, number | bigint>()
  const addUser = sqlite.prepare(
    'insert into end_users (scope_id, hash, first_week) values (1, ?, 0)',
  )
  const addEvent = sqlite.prepare(
    `insert into events
      (scope_id, idempotency_key, event, happened_at, received_at, call_id, opener_index, end_user_id)
    values (1, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
  )
  const addUsers = sqlite.transaction((records: readonly EventRecord[]) => {
    for (const { end_user_id: hash } of records) {
      if (userIds.has(hash)) continue
      userIds.set(hash, addUser.run(Buffer.from(hash, 'hex')).lastInsertRowid)
    }
  })
  const addEvents = sqlite.transaction((records: readonly EventRecord[]) => {
    for (const record of records) {
      addEvent.run(
        Buffer.from(record.idempotency_key.replaceAll('-', ''), 'hex'),
        record.event,
        Date.parse(record.ts),
        YEAR_END,
        callIds.get(record.context.originating_request_id),
        record.context.opener_index ?? null,
        userIds.get(record.end_user_id),
      )
    }
  })
  return {
    prepare: addUsers,
    store: (records) => addEvents.immediate(records),
    close: () => sqlite.close(),
  }
}

/** Ids of the calls by request id. */
function readCallIds(sqlite: BetterSqlite3.Database): Map<string, number> {
  const select = sqlite.prepare<[], [string, number]>('select request_id, id from service_calls')
  return new Map(select.raw().all())
}
