import { parentPort, workerData } from 'node:worker_threads'
import { sql } from 'kysely'
import { errorCode } from '../core/error-code.js'
import { openDatabase, type Database, type DatabasePlace } from '../database/open-database.js'
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
const db = await openDatabase(dataDir, {
  mustExist: true,
  // Fits take turns on this thread anyway, and the server has brought the database up to date.
  postgres: postgres && { ...postgres, poolSize: 1, migrations: 'never' },
})
if (!postgres) await sql`pragma query_only = on`.execute(db)
parentPort?.on('message', (task: FitTask) => {
  void answer(task).then((message) => parentPort?.postMessage(message))
})

async function answer({ id, ...request }: FitTask): Promise<FitAnswer> {
  try {
    return {
      id,
      fit: await onlyReading((reading) => computeFit(reading, { ...request, isPooled })),
    }
  } catch (error) {
    return { id, code: errorCode(error) ?? 'UNKNOWN' }
  }
}

/** On PostgreSQL the transaction refuses writes, since what is set for a connection would outlast this thread in a pooler. */
function onlyReading<T>(read: (db: Database) => Promise<T>): Promise<T> {
  return postgres ? db.transaction().setAccessMode('read only').execute(read) : read(db)
}
