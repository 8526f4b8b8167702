import { parentPort, workerData } from 'node:worker_threads'
import { withErasureConnection } from '../database/erasure-connection.js'
import type { Database, DatabasePlace } from '../database/open-database.js'
import { runAlone } from '../database/run-alone.js'
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

/** What was deleted, or why nothing was; undefined when another server is at it. */
export type PurgeReport = { purged: PurgedRecords[] } | { refusal: string } | undefined

/** Entry point of the thread that deletes old records beside the server; it reports the result and ends. */
const { place: given, retention, now } = workerData as PurgeSettings
const { postgres } = given
/** One connection deletes while another one holds the lock. */
const place = postgres ? { ...given, postgres: { ...postgres, poolSize: 2 } } : given
// The lock is held by a transaction that does nothing else meanwhile, so it keeps no row from a vacuum.
parentPort?.postMessage(
  await withErasureConnection(place, (db) => runAlone(db, 'purge', () => purge(db))),
)

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
