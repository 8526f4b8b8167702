import { parentPort, workerData } from 'node:worker_threads'
import { sql } from 'kysely'
import { errorCode } from '../core/error-code.js'
import { isPostgres } from '../database/dialect.js'
import { openDatabase, type DatabasePlace } from '../database/open-database.js'
import { computeFit, type EnvironmentFit } from './compute-fit.js'
import type { FitRequest } from './fit-request.js'

/** `workerData` of the thread. */
export interface FitThreadSettings extends DatabasePlace {
  isPooled: boolean
}

/** A message to the thread. */
export interface FitTask extends FitRequest {
  id: number
}

/** The answer to the task with the same id. Of an error only its code: its class does not survive the way to another thread. */
export type FitAnswer = { id: number; fit: EnvironmentFit } | { id: number; code: string }

/** Entry point of the thread that computes what environments have learnt; it only reads the database. */
const { dataDir, postgres, isPooled } = workerData as FitThreadSettings
const db = await openDatabase(dataDir, { mustExist: true, postgres })
if (!isPostgres(db)) await sql`pragma query_only = on`.execute(db)
parentPort?.on('message', (task: FitTask) => {
  void answer(task).then((message) => parentPort?.postMessage(message))
})

async function answer({ id, ...request }: FitTask): Promise<FitAnswer> {
  try {
    return { id, fit: await computeFit(db, { ...request, isPooled }) }
  } catch (error) {
    return { id, code: errorCode(error) ?? 'UNKNOWN' }
  }
}
