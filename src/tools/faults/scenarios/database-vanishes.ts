import { mkdirSync, readdirSync, renameSync, rmSync, truncateSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultEnvironment } from '../environment/fault-environment.js'
import type { ServiceProcess } from '../environment/service-process.js'
import { Expectations } from '../expectations.js'
import { Ledger } from '../ledger/ledger.js'
import { formatOperatorView } from '../report/operator-view.js'
import type { OutcomeRow, Scenario } from '../scenario.js'
import { completeRow } from './recover.js'
import { expectStorageTrouble } from './storage-expectations.js'
import { fillLedger, underTraffic } from './under-traffic.js'

const FAULT_MS = 3_000
const FILES = /^service\.db/

interface VanishingFault {
  fault: string
  injection: string
  inject: (paths: VanishingPaths) => void
  /** Brings back what vanished, from aside or from the backup. The service is stopped unless `returnsWhileRunning`. */
  recover: (paths: VanishingPaths, service: ServiceProcess) => Promise<unknown> | void
  returnsWhileRunning?: boolean
  recovery: string
}

interface VanishingPaths {
  dataDir: string
  aside: string
  backup: string
}

const restoreBackup = async ({ backup }: VanishingPaths, service: ServiceProcess) => {
  const { code, output } = await service.admin('restore', backup)
  if (code !== 0) throw new Error(`The restore failed: ${output}`)
}

const FAULTS: readonly VanishingFault[] = [
  {
    fault: 'Database deleted while running',
    injection: 'rm service.db service.db-wal service.db-shm',
    inject: ({ dataDir }) => forEachFile(dataDir, (file) => rmSync(file)),
    recover: restoreBackup,
    recovery: 'stop, restore the newest backup, start',
  },
  {
    fault: 'Database moved away and back',
    injection: 'mv service.db* elsewhere, and back after 3 s',
    inject: ({ dataDir, aside }) => moveFiles(dataDir, aside),
    recover: ({ dataDir, aside }) => moveFiles(aside, dataDir),
    returnsWhileRunning: true,
    recovery: 'by itself once the files are back, or by a restart',
  },
  {
    fault: 'Database cut to 0 bytes while running',
    injection: 'truncate -s 0 service.db',
    inject: ({ dataDir }) => truncateSync(path.join(dataDir, 'service.db')),
    recover: restoreBackup,
    recovery: 'stop, restore the newest backup, start',
  },
  {
    fault: 'Write-ahead log deleted while running',
    injection: 'rm service.db-wal service.db-shm',
    inject: ({ dataDir }) => {
      rmSync(path.join(dataDir, 'service.db-wal'))
      rmSync(path.join(dataDir, 'service.db-shm'))
    },
    recover: () => {},
    recovery: 'stop and start',
  },
]

export const databaseVanishes: Scenario = {
  name: 'database-vanishes',
  isInSelection: true,
  run: async (environment) => {
    const rows: OutcomeRow[] = []
    for (const fault of FAULTS) rows.push(await runFault(environment, fault))
    return rows
  },
}

async function runFault(environment: FaultEnvironment, fault: VanishingFault): Promise<OutcomeRow> {
  const check = new Expectations()
  const service = await environment.createService()
  const { dataDir } = service
  const paths = { dataDir, aside: `${dataDir}-aside`, backup: `${dataDir}-backup` }
  mkdirSync(paths.aside)
  const ledger = new Ledger()
  await service.start()
  await fillLedger(service, ledger)
  // Whatever is acknowledged from here on is written while the fault lasts.
  await service.admin('backup', paths.backup)
  fault.inject(paths)
  let diagnoses: string[] = []
  const seen = await underTraffic(service, ledger, async () => {
    await sleep(FAULT_MS)
    diagnoses = await service.diagnose()
  })
  expectStorageTrouble(check, seen)
  if (fault.returnsWhileRunning) await fault.recover(paths, service)
  else {
    await service.stop()
    if (service.isRunning) await service.kill()
    await fault.recover(paths, service)
    await service.start('alive')
  }
  return completeRow(service, ledger, {
    fault: fault.fault,
    injection: fault.injection,
    partners: String(seen.summary),
    operator: formatOperatorView({ ...seen, diagnoses }),
    recovery: fault.recovery,
    deviations: check.deviations,
  })
}

function forEachFile(folder: string, work: (file: string) => void): void {
  for (const name of readdirSync(folder).filter((entry) => FILES.test(entry))) {
    work(path.join(folder, name))
  }
}

function moveFiles(from: string, to: string): void {
  // Replaces what was created in the meantime.
  forEachFile(to, (file) => rmSync(file))
  forEachFile(from, (file) => renameSync(file, path.join(to, path.basename(file))))
}
