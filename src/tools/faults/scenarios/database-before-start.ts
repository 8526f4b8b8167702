import { randomBytes } from 'node:crypto'
import { closeSync, openSync, rmSync, truncateSync, writeSync } from 'node:fs'
import path from 'node:path'
import type { Scenario } from '../scenario.js'
import { runStartFaults } from './refused-start.js'

const WHAT_TO_DO = /restore|mount|backup/i

const databaseOf = (dataDir: string) => path.join(dataDir, 'service.db')

export const databaseBeforeStart: Scenario = {
  name: 'database-before-start',
  isInSelection: true,
  run: (environment) =>
    runStartFaults(environment, [
      {
        fault: 'Database missing at the start',
        injection: 'service.db is deleted while the service is stopped',
        inject: (dataDir) => rmSync(databaseOf(dataDir)),
        message: WHAT_TO_DO,
        diagnosis: /database/,
      },
      {
        fault: 'Database empty at the start',
        injection: 'service.db is cut to 0 bytes while the service is stopped',
        inject: (dataDir) => truncateSync(databaseOf(dataDir)),
        message: WHAT_TO_DO,
        diagnosis: /database/,
      },
      {
        fault: 'Header of the database overwritten',
        injection: 'random bytes over the first page while the service is stopped',
        inject: (dataDir) => overwrite(databaseOf(dataDir), 0, 4_096),
        message: /damaged.*restore|restore.*damaged|not a database/is,
        diagnosis: /damaged.*restore/,
      },
      {
        fault: 'Schema of the database overwritten',
        injection:
          'random bytes over the second half of the first page while the service is stopped',
        inject: (dataDir) => overwrite(databaseOf(dataDir), 100, 3_996),
        message: /damaged.*restore|restore.*damaged/is,
        diagnosis: /damaged.*restore/,
      },
    ]),
}

function overwrite(file: string, offset: number, length: number): void {
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, randomBytes(length), 0, length, offset)
  closeSync(descriptor)
}
