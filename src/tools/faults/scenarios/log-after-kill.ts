import { rmSync, statSync, truncateSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultEnvironment } from '../environment/fault-environment.js'
import type { ServiceProcess } from '../environment/service-process.js'
import { Ledger } from '../ledger/ledger.js'
import type { OutcomeRow, Scenario } from '../scenario.js'
import { completeRow } from './recover.js'
import { fillLedger } from './under-traffic.js'

/** Checkpoints run every 100 ms, so a log that vanishes later holds nothing that the database lacks. */
const CHECKPOINT_MS = 1_000

interface LogFault {
  fault: string
  injection: string
  inject: (log: string) => void
  /** The service is stopped. */
  recover: (service: ServiceProcess, backup: string) => Promise<unknown> | void
  operator: string
  recovery: string
}

const FAULTS: readonly LogFault[] = [
  {
    fault: 'Write-ahead log missing after a crash',
    injection: 'kill -9 one second after the last call; rm service.db-wal',
    inject: (log) => rmSync(log),
    recover: () => {},
    operator: 'the start succeeds',
    recovery:
      'by itself; what was acknowledged in the last 100 ms before the crash would be lost with the log',
  },
  {
    fault: 'Write-ahead log cut off after a crash',
    injection: 'kill -9 one second after the last call; service.db-wal is cut to half',
    inject: (log) => truncateSync(log, Math.floor(statSync(log).size / 2)),
    // SQLite takes a shorter log for the end of the commits, and its old pages for newer than those of the database.
    recover: async (service, backup) => {
      const { code, output } = await service.admin('restore', backup)
      if (code !== 0) throw new Error(`The restore failed: ${output}`)
    },
    operator: 'whoever repaired the file system knows; a start would go on with older records',
    recovery: 'restore the newest backup, start',
  },
]

export const logAfterKill: Scenario = {
  name: 'log-after-kill',
  isInSelection: false,
  run: async (environment) => {
    const rows: OutcomeRow[] = []
    for (const fault of FAULTS) rows.push(await runFault(environment, fault))
    return rows
  },
}

async function runFault(
  environment: FaultEnvironment,
  { fault, injection, inject, recover, operator, recovery }: LogFault,
): Promise<OutcomeRow> {
  const service = await environment.createService()
  const ledger = new Ledger()
  await service.start()
  await fillLedger(service, ledger)
  const backup = `${service.dataDir}-backup`
  await service.admin('backup', backup)
  await sleep(CHECKPOINT_MS)
  await service.kill()
  inject(path.join(service.dataDir, 'service.db-wal'))
  await recover(service, backup)
  await service.start('alive')
  return completeRow(service, ledger, {
    fault,
    injection,
    partners: 'connections end',
    operator,
    recovery,
    deviations: [],
  })
}
