import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { limitProcess } from '../environment/limit-process.js'
import { formatWait } from '../environment/wait-until.js'
import { Expectations } from '../expectations.js'
import { Ledger } from '../ledger/ledger.js'
import { formatOperatorView } from '../report/operator-view.js'
import type { Scenario } from '../scenario.js'
import { completeRow } from './recover.js'
import { expectModelTrouble } from './worker-expectations.js'
import { underTraffic } from './under-traffic.js'

const FAULT_MS = 6_000
const RECOVERY_LIMIT_MS = 60_000
/** Less than the decoder needs for one photo. */
const SPARE_BYTES = 1_000_000

export const workerOutOfMemory: Scenario = {
  name: 'worker-out-of-memory',
  isInSelection: false,
  run: async (environment) => {
    const check = new Expectations()
    const service = await environment.createService()
    const ledger = new Ledger()
    await service.start()
    const pid = service.pidOf('vision')
    const limits = limitProcess(pid, 'as', readAddressSpace(pid) + SPARE_BYTES)
    const seen = await underTraffic(service, ledger, () => sleep(FAULT_MS), { isReal: true })
    if (service.pidOf('vision') === pid) limits.restore()
    expectModelTrouble(check, seen)
    const took = await service.waitUntilReady(RECOVERY_LIMIT_MS)
    check.expect(took !== undefined, 'not ready again')
    return [
      await completeRow(service, ledger, {
        fault: 'Vision worker out of memory',
        injection: `prlimit --as of the vision worker to 1 MB more than it has, for ${FAULT_MS / 1_000} s of real matches`,
        partners: String(seen.summary),
        operator: formatOperatorView(seen),
        recovery: `by itself, ${formatWait(took, RECOVERY_LIMIT_MS)} after the limit is lifted or the worker is replaced`,
        deviations: check.deviations,
      }),
    ]
  },
}

/** Bytes of address space of a process. */
function readAddressSpace(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmSize:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024
}
