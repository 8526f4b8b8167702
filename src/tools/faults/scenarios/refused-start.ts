import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { FaultEnvironment } from '../environment/fault-environment.js'
import type { ServiceProcess } from '../environment/service-process.js'
import { Expectations } from '../expectations.js'
import { Ledger } from '../ledger/ledger.js'
import { formatOperatorView } from '../report/operator-view.js'
import type { OutcomeRow } from '../scenario.js'
import { completeRow } from './recover.js'
import { expectDiagnosis, expectOperatorMessage } from './storage-expectations.js'
import { fillLedger } from './under-traffic.js'

/** A fault in the data folder that the start must notice. */
export interface StartFault {
  fault: string
  injection: string
  inject: (dataDir: string) => void
  /** What the message of the refused start must say. */
  message: RegExp
  /** What doctor must say. */
  diagnosis: RegExp
}

/** Injects each fault into the folder of a stopped service, starts it, and puts the folder back. */
export async function runStartFaults(
  environment: FaultEnvironment,
  faults: readonly StartFault[],
): Promise<OutcomeRow[]> {
  const service = await environment.createService()
  const ledger = new Ledger()
  await service.start()
  await fillLedger(service, ledger)
  await service.stop()
  const copy = path.join(environment.folder, 'sound-copy')
  cpSync(service.dataDir, copy, { recursive: true })
  const rows: OutcomeRow[] = []
  for (const fault of faults) {
    rows.push(await runStartFault({ service, ledger, copy, fault }))
    await service.stop()
  }
  return rows
}

interface StartFaultRun {
  service: ServiceProcess
  ledger: Ledger
  /** Folder with the sound files. */
  copy: string
  fault: StartFault
}

async function runStartFault({ service, ledger, copy, fault }: StartFaultRun): Promise<OutcomeRow> {
  const check = new Expectations()
  const { dataDir } = service
  fault.inject(dataDir)
  const outcome = await service.tryStart()
  const isRefused = outcome !== 'listening'
  const message = isRefused ? outcome.output : ''
  check.expect(isRefused, 'the service starts')
  if (isRefused) {
    expectOperatorMessage(check, message, fault.message)
    check.expect(outcome.code === 1, `exit code ${outcome.code}`)
  } else await service.kill()
  const diagnoses = await service.diagnose()
  expectDiagnosis(check, diagnoses, fault.diagnosis)
  check.expect(readFirstKey(dataDir) === readFirstKey(copy), 'first-key was overwritten')
  rmSync(dataDir, { recursive: true })
  cpSync(copy, dataDir, { recursive: true })
  await service.start('alive')
  return completeRow(service, ledger, {
    fault: fault.fault,
    injection: fault.injection,
    partners: isRefused ? 'nothing answers' : 'the service answers',
    operator: formatOperatorView({ message, diagnoses }),
    recovery: 'put the sound file back, start',
    deviations: check.deviations,
  })
}

function readFirstKey(folder: string): string | undefined {
  const file = path.join(folder, 'first-key')
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
