import path from 'node:path'
import type { FaultEnvironment } from '../environment/fault-environment.js'
import type { SmallDisk } from '../environment/small-disk.js'
import { Expectations } from '../expectations.js'
import { Ledger } from '../ledger/ledger.js'
import { formatOperatorView } from '../report/operator-view.js'
import type { OutcomeRow, Scenario } from '../scenario.js'
import { completeRow } from './recover.js'
import { expectDiagnosis, expectOperatorMessage, WRONG_CAUSE } from './storage-expectations.js'
import { fillLedger } from './under-traffic.js'

interface DiskFault {
  fault: string
  injection: string
  inject: (disk: SmallDisk) => void
  recover: (disk: SmallDisk) => void
  named: RegExp
  recovery: string
}

const FAULTS: readonly DiskFault[] = [
  {
    fault: 'Start on a full disk',
    injection: 'a file fills the ext4 file system while the service is stopped',
    inject: (disk) => disk.fill(),
    recover: (disk) => disk.free(),
    named: /full|space|free/i,
    recovery: 'make room, start',
  },
  {
    fault: 'Start on a read-only disk',
    injection: 'mount -o ro while the service is stopped',
    inject: (disk) => disk.remountReadOnly(),
    recover: (disk) => disk.repair(),
    named: /read-only|not writable|cannot be written|cannot write/i,
    recovery: 'mount it writable, start',
  },
]

export const startOnBadDisk: Scenario = {
  name: 'start-on-bad-disk',
  isInSelection: false,
  run: async (environment) => {
    const rows: OutcomeRow[] = []
    for (const fault of FAULTS) rows.push(await runFault(environment, fault))
    return rows
  },
}

/** A full disk may still have room for a start: then the service must answer and say what is wrong. */
async function runFault(environment: FaultEnvironment, fault: DiskFault): Promise<OutcomeRow> {
  const check = new Expectations()
  const disk = environment.createSmallDisk()
  const service = await environment.createService({ dataDir: path.join(disk.folder, 'data') })
  const ledger = new Ledger()
  await service.start()
  await fillLedger(service, ledger)
  await service.stop()
  fault.inject(disk)
  const outcome = await service.tryStart()
  const message = outcome === 'listening' ? '' : outcome.output
  const diagnoses = await service.diagnose()
  if (outcome === 'listening') {
    check.expect((await service.readiness()) === 503, 'the service starts and reports ready')
    await service.kill()
  } else expectOperatorMessage(check, message, fault.named)
  expectDiagnosis(check, diagnoses, fault.named)
  check.expect(!WRONG_CAUSE.test(message), 'the message names a wrong cause')
  check.expect(!WRONG_CAUSE.test(diagnoses.join()), 'doctor names a wrong cause')
  fault.recover(disk)
  await service.start('alive')
  const row = await completeRow(service, ledger, {
    fault: fault.fault,
    injection: fault.injection,
    partners: outcome === 'listening' ? '503' : 'nothing answers',
    operator: formatOperatorView({ message, diagnoses }),
    recovery: fault.recovery,
    deviations: check.deviations,
  })
  await service.stop()
  disk.unmount()
  return row
}
