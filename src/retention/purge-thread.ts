import { parentPort, workerData } from 'node:worker_threads'
import { withErasingDatabase } from '../database/erasing-database.js'
import type { Retention } from '../config/oldest-kept.js'
import { purgeOldRecords } from './purge-old-records.js'

/** What the thread is started with. */
export interface PurgeSettings {
  dataDir: string
  retention: Retention
  now: number
}

/** Entry of the thread that deletes old records beside the server; answers with what it deleted, and ends. */
const { dataDir, retention, now } = workerData as PurgeSettings
parentPort?.postMessage(
  await withErasingDatabase(dataDir, (db) => purgeOldRecords(db, retention, { now })),
)
