import { parentPort, workerData } from 'node:worker_threads'
import { withErasureConnection } from '../database/erasure-connection.js'
import type { Retention } from '../config/retention-cutoffs.js'
import { purgeOldRecords } from './purge-old-records.js'

/** `workerData` of the thread. */
export interface PurgeSettings {
  dataDir: string
  retention: Retention
  now: number
}

/** Entry point of the thread that deletes old records beside the server; it reports the result and ends. */
const { dataDir, retention, now } = workerData as PurgeSettings
parentPort?.postMessage(
  await withErasureConnection(dataDir, (db) => purgeOldRecords(db, retention, { now })),
)
