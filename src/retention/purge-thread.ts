import { parentPort, workerData } from 'node:worker_threads'
import { withErasureConnection } from '../database/erasure-connection.js'
import type { Database, DatabasePlace } from '../database/open-database.js'
import { openSecretOf, type SecretPlace } from '../organizations/check-server-secret.js'
import type { Retention } from '../config/retention-cutoffs.js'
import { purgeOldRecords } from './purge-old-records.js'
import type { PurgedRecords } from './purged-records.js'
import { assertPlausible, ClockJumpError } from './trusted-clock.js'

/** `workerData` of the thread. */
export interface PurgeSettings {
  place: DatabasePlace & SecretPlace
  retention: Retention
  now: number
}

/** What was deleted, or why nothing was. */
export type PurgeReport = { purged: PurgedRecords[] } | { refusal: string }

/** Entry point of the thread that deletes old records beside the server; it reports the result and ends. */
const { place, retention, now } = workerData as PurgeSettings
parentPort?.postMessage(await withErasureConnection(place, purge))

async function purge(db: Database): Promise<PurgeReport> {
  try {
    await assertPlausible(db, now)
    const secret = await openSecretOf(db, place)
    return { purged: await purgeOldRecords({ db, secret }, retention, { now }) }
  } catch (error) {
    if (error instanceof ClockJumpError) return { refusal: error.message }
    throw error
  }
}
