import { randomBytes } from 'node:crypto'
import { chmodSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Scenario } from '../scenario.js'
import { runStartFaults } from './refused-start.js'

const SECRET_BYTES = 32
const NAMED = /secret/i

const secretOf = (dataDir: string) => path.join(dataDir, 'server-secret')

export const secretDamaged: Scenario = {
  name: 'secret-damaged',
  isInSelection: false,
  run: (environment) =>
    runStartFaults(environment, [
      {
        fault: 'Server secret missing',
        injection: 'server-secret is deleted while the service is stopped',
        inject: (dataDir) => rmSync(secretOf(dataDir)),
        message: NAMED,
        diagnosis: NAMED,
      },
      {
        fault: 'Server secret cut off',
        injection: 'server-secret is cut to 5 bytes',
        inject: (dataDir) => truncateSync(secretOf(dataDir), 5),
        message: NAMED,
        diagnosis: NAMED,
      },
      {
        fault: 'Secret of another installation',
        injection: 'server-secret gets other random bytes',
        inject: (dataDir) => writeFileSync(secretOf(dataDir), randomBytes(SECRET_BYTES)),
        message: NAMED,
        diagnosis: NAMED,
      },
      {
        fault: 'Server secret readable by everybody',
        injection: 'chmod 644',
        inject: (dataDir) => chmodSync(secretOf(dataDir), 0o644),
        message: /chmod 600/,
        diagnosis: NAMED,
      },
    ]),
}
