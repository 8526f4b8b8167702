import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { limitProcess } from '../environment/limit-process.js'
import { formatWait } from '../environment/wait-until.js'
import { Expectations } from '../expectations.js'
import { Ledger } from '../ledger/ledger.js'
import { formatOperatorView } from '../report/operator-view.js'
import type { Scenario } from '../scenario.js'
import { completeRow } from './recover.js'
import { fillLedger, underTraffic } from './under-traffic.js'

const FAULT_MS = 4_000
const RECOVERY_LIMIT_MS = 20_000
/** Enough for a few connections and nothing else. */
const SPARE = 3

export const descriptorsExhausted: Scenario = {
  name: 'descriptors-exhausted',
  isInSelection: false,
  run: async (environment) => {
    const check = new Expectations()
    const service = await environment.createService()
    const ledger = new Ledger()
    await service.start()
    await fillLedger(service, ledger)
    const open = readdirSync(`/proc/${service.pid}/fd`).length
    const limits = limitProcess(service.pid, 'nofile', open + SPARE)
    const seen = await underTraffic(service, ledger, () => sleep(FAULT_MS))
    limits.restore()
    check.expect(service.isRunning, 'the server ended')
    const took = await service.waitUntilReady(RECOVERY_LIMIT_MS)
    check.expect(took !== undefined, 'not ready again')
    return [
      await completeRow(service, ledger, {
        fault: 'File descriptors exhausted',
        injection: `prlimit --nofile of the server to ${SPARE} more than it has open, for ${FAULT_MS / 1_000} s`,
        partners: String(seen.summary),
        operator: formatOperatorView(seen),
        recovery: `by itself, ${formatWait(took, RECOVERY_LIMIT_MS)} after the limit is lifted`,
        deviations: check.deviations,
      }),
    ]
  },
}
