import type { FaultEnvironment } from '../environment/fault-environment.js'
import { formatWait, waitUntil } from '../environment/wait-until.js'
import { Expectations } from '../expectations.js'
import { Ledger } from '../ledger/ledger.js'
import { formatOperatorView } from '../report/operator-view.js'
import type { OutcomeRow, Scenario } from '../scenario.js'
import { completeRow } from './recover.js'
import { expectModelTrouble } from './worker-expectations.js'
import { underTraffic } from './under-traffic.js'

const NOTICE_LIMIT_MS = 90_000
/** Five seconds without a sign of life, and the time to load the models again. */
const GOOD_NOTICE_MS = 10_000
const RECOVERY_LIMIT_MS = 30_000

export const workerHangs: Scenario = {
  name: 'worker-hangs',
  isInSelection: false,
  run: async (environment) => [
    await stopWorker(environment, 'vision'),
    await stopWorker(environment, 'language'),
  ],
}

async function stopWorker(
  environment: FaultEnvironment,
  role: 'vision' | 'language',
): Promise<OutcomeRow> {
  const check = new Expectations()
  const service = await environment.createService()
  const ledger = new Ledger()
  await service.start()
  const hanging = service.pidOf(role)
  let noticedMs: number | undefined
  const seen = await underTraffic(
    service,
    ledger,
    async () => {
      process.kill(hanging, 'SIGSTOP')
      noticedMs = await waitUntil(() => service.pidOf(role) !== hanging, NOTICE_LIMIT_MS)
      if (noticedMs === undefined) process.kill(hanging, 'SIGKILL')
      await service.waitUntilReady(RECOVERY_LIMIT_MS)
    },
    { isReal: true },
  )
  const noticed = formatWait(noticedMs, NOTICE_LIMIT_MS)
  check.expect(noticedMs !== undefined && noticedMs < GOOD_NOTICE_MS, `noticed: ${noticed}`)
  expectModelTrouble(check, seen)
  return completeRow(service, ledger, {
    fault: `${role === 'vision' ? 'Vision' : 'Language'} worker hangs`,
    injection: `SIGSTOP of the ${role} worker under real matches`,
    partners: `${String(seen.summary)}; slowest answer ${(seen.summary.slowestMs / 1_000).toFixed(1)} s`,
    operator: formatOperatorView(seen),
    recovery: `by itself: the worker is killed and replaced (noticed: ${noticed})`,
    deviations: check.deviations,
  })
}
