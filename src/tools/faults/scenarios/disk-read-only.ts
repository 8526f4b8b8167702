import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { formatWait } from '../environment/wait-until.js'
import { Expectations } from '../expectations.js'
import { Ledger } from '../ledger/ledger.js'
import { formatOperatorView } from '../report/operator-view.js'
import type { Scenario } from '../scenario.js'
import { completeRow } from './recover.js'
import { expectDiagnosis, expectStorageTrouble, WRONG_CAUSE } from './storage-expectations.js'
import { fillLedger, underTraffic } from './under-traffic.js'

const FAULT_MS = 3_000
const STOP_LIMIT_MS = 30_000

export const diskReadOnly: Scenario = {
  name: 'disk-read-only',
  isInSelection: false,
  run: async (environment) => {
    const check = new Expectations()
    const disk = environment.createSmallDisk()
    const service = await environment.createService({ dataDir: path.join(disk.folder, 'data') })
    const ledger = new Ledger()
    await service.start()
    await fillLedger(service, ledger)
    let diagnoses: string[] = []
    disk.breakReadOnly()
    const seen = await underTraffic(service, ledger, async () => {
      await sleep(FAULT_MS)
      diagnoses = await service.diagnose()
    })
    expectStorageTrouble(check, seen)
    expectDiagnosis(check, diagnoses, /read-only|not writable|cannot be written/i)
    check.expect(!WRONG_CAUSE.test(diagnoses.join()), 'doctor names a wrong cause')
    const stopMs = await service.stop(STOP_LIMIT_MS)
    check.expect(stopMs !== undefined, 'SIGTERM did not end the service')
    if (stopMs === undefined) await service.kill()
    disk.repair()
    await service.start('alive')
    return [
      await completeRow(service, ledger, {
        fault: 'Disk becomes read-only',
        injection: 'the kernel finds an error in the ext4 file system and stops all writing',
        partners: String(seen.summary),
        operator: formatOperatorView({ ...seen, diagnoses }),
        recovery: `stop (${formatWait(stopMs, STOP_LIMIT_MS)}), repair the disk, start`,
        deviations: check.deviations,
      }),
    ]
  },
}
