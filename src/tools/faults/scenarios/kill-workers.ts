import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultEnvironment } from '../environment/fault-environment.js'
import type { ServiceProcess } from '../environment/service-process.js'
import { formatWait, waitUntil } from '../environment/wait-until.js'
import { Expectations } from '../expectations.js'
import { Ledger } from '../ledger/ledger.js'
import { formatOperatorView } from '../report/operator-view.js'
import type { OutcomeRow, Scenario } from '../scenario.js'
import { completeRow } from './recover.js'
import { expectModelTrouble } from './worker-expectations.js'
import { underTraffic } from './under-traffic.js'

const KILLS = 5
const PAUSE_MS = 1_000
const RECOVERY_LIMIT_MS = 60_000

export const killWorkers: Scenario = {
  name: 'kill-workers',
  isInSelection: false,
  run: async (environment) => [
    await killInALoop(environment, 'vision'),
    await killInALoop(environment, 'language'),
  ],
}

async function killInALoop(
  environment: FaultEnvironment,
  role: 'vision' | 'language',
): Promise<OutcomeRow> {
  const check = new Expectations()
  const service = await environment.createService()
  const ledger = new Ledger()
  await service.start()
  const seen = await underTraffic(
    service,
    ledger,
    async () => {
      for (let kill = 0; kill < KILLS; kill++) {
        await sleep(environment.random() * PAUSE_MS)
        process.kill(await waitForWorker(service, role), 'SIGKILL')
      }
    },
    { isReal: true },
  )
  const took = await service.waitUntilReady(RECOVERY_LIMIT_MS)
  check.expect(took !== undefined, 'not ready again')
  expectModelTrouble(check, seen)
  if (role === 'language') {
    const refused = seen.summary.count('503 model_unavailable')
    check.expect(refused === 0, `${refused} matches were refused, which need no language worker`)
  }
  return completeRow(service, ledger, {
    fault: `${role === 'vision' ? 'Vision' : 'Language'} worker killed`,
    injection: `kill -9 of the ${role} worker ${KILLS} times at random moments under real matches`,
    partners: String(seen.summary),
    operator: formatOperatorView(seen),
    recovery: `by itself, ${formatWait(took, RECOVERY_LIMIT_MS)} after the last kill`,
    deviations: check.deviations,
  })
}

/** Process id of the worker, once it runs. */
async function waitForWorker(
  service: ServiceProcess,
  role: 'vision' | 'language',
): Promise<number> {
  let pid = Number.NaN
  await waitUntil(() => {
    pid = service.pidOf(role)
    return !Number.isNaN(pid)
  }, RECOVERY_LIMIT_MS)
  if (Number.isNaN(pid)) throw new Error(`The ${role} worker did not come back.`)
  return pid
}
