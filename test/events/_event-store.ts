import { createHash, randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Database, DatabasePlace } from '../../src/database/open-database.js'
import type { EventScope } from '../../src/events/event-scope.js'
import type { EventRecord } from '../../src/events/events-contract.js'
import { recordCall } from '../../src/events/record-call.js'
import { storeEvents, type StoredEvents } from '../../src/events/store-events.js'
import type { Style, Tone } from '../../src/openers/styles.js'
import { dropTestDatabase, openTestDatabase, postgresOf } from '../_database.js'

/** A Wednesday. */
export const NOW = Date.UTC(2026, 6, 15, 12)
/** Before any event of a test. */
const LONG_AGO = Date.UTC(2020, 0, 1)
export const DAY = 24 * 60 * 60 * 1_000
export const WEEK = 7 * DAY

export const LIVE: EventScope = { organizationId: 'org_a', environment: 'live' }
export const TEST: EventScope = { organizationId: 'org_a', environment: 'test' }
export const OTHER: EventScope = { organizationId: 'org_b', environment: 'live' }

export interface EventStore extends DatabasePlace {
  db: Database
  /** Records a call for openers in these styles. */
  openersCall(
    requestId: string,
    styles: readonly Style[],
    tone?: Tone,
    createdAt?: number,
  ): Promise<void>
  store(records: readonly EventRecord[], scope?: EventScope): Promise<StoredEvents>
  remove(): Promise<void>
}

/** A separate database with two organisations. */
export async function openEventStore(): Promise<EventStore> {
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'events-'))
  const db = await openTestDatabase(dataDir)
  const organization = { plan: 'free', created_at: NOW }
  await db
    .insertInto('organizations')
    .values([
      { id: LIVE.organizationId, name: 'A', ...organization },
      { id: OTHER.organizationId, name: 'B', ...organization },
    ])
    .execute()
  return {
    dataDir,
    postgres: await postgresOf(dataDir),
    db,
    openersCall: (requestId, styles, tone = 'playful', createdAt = LONG_AGO) =>
      recordCall(db, {
        ...LIVE,
        requestId,
        capability: 'conversation.openers',
        createdAt,
        written: { tone, openers: styles.map((style) => ({ style, length: 40 })) },
      }),
    store: (records, scope = LIVE) => storeEvents(db, { scope, records }, NOW),
    remove: async () => {
      await db.destroy()
      await dropTestDatabase(dataDir)
      await fs.rm(dataDir, { recursive: true })
    },
  }
}

export interface EventSketch {
  event?: EventRecord['event']
  /** Milliseconds since the epoch. Defaults to `NOW`. */
  at?: number
  user?: string
  request?: string
  opener?: number | undefined
  key?: string
}

/** A valid record with the fields that a test cares about. */
export function eventRecord({
  event = 'opener_sent',
  at = NOW,
  user = 'anyone',
  request = 'req_1',
  opener,
  key = randomUUID(),
}: EventSketch): EventRecord {
  return {
    ts: new Date(at).toISOString(),
    end_user_id: createHash('sha256').update(user).digest('hex'),
    event,
    idempotency_key: key,
    context: {
      originating_request_id: request,
      ...(opener !== undefined && { opener_index: opener }),
    },
  }
}

export function sent(sketch: Omit<EventSketch, 'event'> = {}): EventRecord {
  return eventRecord({ ...sketch, event: 'opener_sent' })
}

export function reply(sketch: Omit<EventSketch, 'event'> = {}): EventRecord {
  return eventRecord({ ...sketch, event: 'conversation_reply' })
}
