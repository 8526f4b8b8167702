import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { formatWait, waitUntil } from '../environment/wait-until.js'
import { Expectations } from '../expectations.js'
import { Ledger } from '../ledger/ledger.js'
import { formatOperatorView } from '../report/operator-view.js'
import type { Scenario } from '../scenario.js'
import { completeRow } from './recover.js'
import { expectDiagnosis, expectStorageTrouble, WRONG_CAUSE } from './storage-expectations.js'
import { fillLedger, underTraffic } from './under-traffic.js'

/** The service writes into the space that its files have before it needs more. */
const FULL_LIMIT_MS = 60_000
const FAULT_MS = 3_000
const RECOVERY_LIMIT_MS = 30_000

export const diskFull: Scenario = {
  name: 'disk-full',
  isInSelection: true,
  run: async (environment) => {
    const check = new Expectations()
    const disk = environment.createSmallDisk()
    const service = await environment.createService({ dataDir: path.join(disk.folder, 'data') })
    const ledger = new Ledger()
    await service.start()
    await fillLedger(service, ledger)
    let diagnoses: string[] = []
    disk.fill()
    const seen = await underTraffic(service, ledger, async ({ summary }) => {
      await waitUntil(() => summary.hasRefusal, FULL_LIMIT_MS)
      await sleep(FAULT_MS)
      diagnoses = await service.diagnose()
    })
    expectStorageTrouble(check, seen)
    expectDiagnosis(check, diagnoses, /full|space|free/i)
    check.expect(!WRONG_CAUSE.test(diagnoses.join()), 'doctor names a wrong cause')
    disk.free()
    const took = await service.waitUntilReady(RECOVERY_LIMIT_MS)
    check.expect(took !== undefined, 'not ready again after there was room')
    return [
      await completeRow(service, ledger, {
        fault: 'Disk full and back',
        injection: 'a file fills an ext4 file system of 48 MiB and is removed again',
        partners: String(seen.summary),
        operator: formatOperatorView({ ...seen, diagnoses }),
        recovery: `by itself, ${formatWait(took, RECOVERY_LIMIT_MS)} after there is room`,
        deviations: check.deviations,
      }),
    ]
  },
}
