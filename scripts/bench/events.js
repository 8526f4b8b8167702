import { rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'
import { openDatabase } from '../../dist/database/open-database.js'
import { replyRateByStyle } from '../../dist/events/reply-rate-by-style.js'
import { storeEvents } from '../../dist/events/store-events.js'
import { weeklyRetention } from '../../dist/events/weekly-retention.js'
import { describeMachine } from '../describe-machine.js'
import { median, quantile } from '../statistics/quantile.js'
import { publish, table } from './publish.js'
import { createScratchFolder } from './scratch-folder.js'
import { createEventSource, SCOPE, YEAR_END, YEAR_MS } from './synthetic-events.js'
import { timeEach } from './time-each.js'

const BATCH_SIZE = 1_000
const ROUNDS = 5
const BATCHES_EACH_ROUND = 10
const SINGLES_EACH_ROUND = 100
const SIZES = [10_000, 100_000, 1_000_000, 5_000_000]
/** Larger than a partner may send, to fill a database in a quarter of the time. */
const FILL_BATCH_SIZE = 10_000
const LAST_BATCHES = 100
const QUERY_RUNS = 21

/**
 * Durable ingest of events against plain better-sqlite3, and the time of analytics over a year of ten thousand to five
 * million events, all of which go through the real ingest.
 */
export async function runBenchmark(/** @type {import('./publish.js').BenchmarkOptions} */ options) {
  const folder = createScratchFolder()
  const report = {
    benchmark: 'events',
    machine: describeMachine(),
    recordsPerSecond: await measureIngest(path.join(folder, 'ingest')),
    growth: await measureGrowth(path.join(folder, 'growth')),
  }
  publish(report, options, { print })
}

/**
 * Ours and plain inserts into the same table take turns on the same disk, so that what else the machine does hits all.
 */
async function measureIngest(/** @type {string} */ folder) {
  const source = createEventSource(ROUNDS * (BATCHES_EACH_ROUND * BATCH_SIZE + SINGLES_EACH_ROUND))
  const writers = {
    ours: await openOurs(path.join(folder, 'ours'), source),
    durable: await openPlain(path.join(folder, 'durable'), source, 'full'),
    notDurable: await openPlain(path.join(folder, 'not-durable'), source, 'normal'),
  }
  /** @type {Record<string, number[]>} */
  const rates = {}
  for (let round = 0; round < ROUNDS; round++) {
    const batches = Array.from({ length: BATCHES_EACH_ROUND }, () => source.take(BATCH_SIZE))
    const singles = Array.from({ length: SINGLES_EACH_ROUND }, () => source.take(1))
    for (const [size, work] of Object.entries({ batches, singles })) {
      for (const [name, writer] of Object.entries(writers)) {
        await setImmediate()
        writer.learn(work.flat())
        const startedAt = performance.now()
        for (const records of work) await writer.store(records)
        const seconds = (performance.now() - startedAt) / 1_000
        ;(rates[`${name} ${size}`] ??= []).push(work.flat().length / seconds)
      }
    }
  }
  for (const writer of Object.values(writers)) await writer.close()
  const row = (/** @type {string} */ size) => {
    const [ours, durable, notDurable] = Object.keys(writers).map((name) =>
      median(rates[`${name} ${size}`] ?? []),
    )
    return {
      'storeEvents, durable': Math.round(ours),
      'better-sqlite3, durable': Math.round(durable),
      'better-sqlite3, not durable': Math.round(notDurable),
      'storeEvents : better-sqlite3, durable': Math.round((ours / durable) * 100) / 100,
    }
  }
  return { 'batches of 1,000': row('batches'), 'batches of 1': row('singles') }
}

/** @typedef {ReturnType<typeof createEventSource>} EventSource */

async function openOurs(/** @type {string} */ dataDir, /** @type {EventSource} */ source) {
  const db = await openDatabase(dataDir)
  await source.prepare(db)
  return {
    db,
    learn: () => {},
    store: (/** @type {any[]} */ records) => storeEvents(db, { scope: SCOPE, records }, YEAR_END),
    close: () => db.destroy(),
  }
}

/**
 * Writes the table of events alone, with every id that ours looks up known in advance.
 * @param {string} dataDir
 * @param {EventSource} source
 * @param {'full' | 'normal'} synchronous
 */
async function openPlain(dataDir, source, synchronous) {
  await (await openOurs(dataDir, source)).close()
  const sqlite = new BetterSqlite3(path.join(dataDir, 'service.db'))
  for (const pragma of ['journal_mode = wal', 'fullfsync = on', 'foreign_keys = on']) {
    sqlite.pragma(pragma)
  }
  sqlite.pragma(`synchronous = ${synchronous}`)
  const callIds = new Map(sqlite.prepare('select request_id, id from service_calls').raw().all())
  const userIds = new Map()
  const addUser = sqlite.prepare(
    'insert into end_users (scope_id, hash, first_week) values (1, ?, 0)',
  )
  const addEvent = sqlite.prepare(
    `insert into events
      (scope_id, idempotency_key, event, happened_at, received_at, call_id, opener_index, end_user_id)
    values (1, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
  )
  const learn = sqlite.transaction((/** @type {any[]} */ records) => {
    for (const { end_user_id: hash } of records) {
      if (userIds.has(hash)) continue
      userIds.set(hash, addUser.run(Buffer.from(hash, 'hex')).lastInsertRowid)
    }
  })
  const store = sqlite.transaction((/** @type {any[]} */ records) => {
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
    learn,
    store: (/** @type {any[]} */ records) => store.immediate(records),
    close: () => sqlite.close(),
  }
}

/** Each size fills a database of its own with a year of events, so that the analytics cover as many days and weeks. */
async function measureGrowth(/** @type {string} */ folder) {
  const rows = []
  for (const size of SIZES) {
    const dataDir = path.join(folder, String(size))
    const source = createEventSource(size)
    const { db, store, close } = await openOurs(dataDir, source)
    const last = Math.min(LAST_BATCHES, size / BATCH_SIZE / 2) * BATCH_SIZE
    for (let left = size - last; left > 0; left -= FILL_BATCH_SIZE) {
      await store(source.take(Math.min(FILL_BATCH_SIZE, left)))
      // The database answers at once and so never lets a signal through.
      await setImmediate()
      if (left % 1_000_000 === 0) console.error(`${left} of ${size} events to come`)
    }
    const batches = Array.from({ length: last / BATCH_SIZE }, () => source.take(BATCH_SIZE))
    const batchTimes = await timeEach(batches.map((records) => () => store(records)))
    const year = { ...SCOPE, from: YEAR_END - YEAR_MS, to: YEAR_END }
    const weeks = { ...year, now: YEAR_END, weeks: 53 }
    const rateTimes = await timeEach(repeated(() => replyRateByStyle(db, year)))
    const toneTimes = await timeEach(
      repeated(() => replyRateByStyle(db, { ...year, tone: 'warm' })),
    )
    const retentionTimes = await timeEach(repeated(() => weeklyRetention(db, weeks)))
    const cohorts = await weeklyRetention(db, weeks)
    await close()
    rows.push({
      events: size,
      'end users': cohorts.reduce((sum, { users }) => sum + users, 0),
      'database, MB': Math.round(statSync(path.join(dataDir, 'service.db')).size / 1e6),
      'reply rate, ms p50': round(median(rateTimes)),
      'reply rate, ms max': round(Math.max(...rateTimes)),
      'reply rate of a tone, ms p50': round(median(toneTimes)),
      'retention, ms p50': round(median(retentionTimes)),
      'retention, ms max': round(Math.max(...retentionTimes)),
      'batch of 1,000, ms p50': round(median(batchTimes)),
      'batch of 1,000, ms p99': round(quantile(batchTimes, 0.99)),
    })
    rmSync(dataDir, { recursive: true })
  }
  return rows
}

function repeated(/** @type {() => Promise<unknown>} */ work) {
  return Array.from({ length: QUERY_RUNS }, () => work)
}

function round(/** @type {number} */ value) {
  return Math.round(value * 100) / 100
}

function print(
  /** @type {any} */ { recordsPerSecond, growth },
  /** @type {import('./publish.js').Say} */ say,
) {
  say('\nRecords a second, one batch at a time\n')
  say(table(Object.entries(recordsPerSecond).map(([batches, rates]) => ({ batches, ...rates }))))
  say('\nAnalytics over a year of events\n')
  say(table(growth))
}
