import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultEnvironment } from '../environment/fault-environment.js'
import { waitUntil } from '../environment/wait-until.js'
import { Expectations } from '../expectations.js'
import { Ledger } from '../ledger/ledger.js'
import { formatOperatorView } from '../report/operator-view.js'
import type { OutcomeRow, Scenario } from '../scenario.js'
import { completeRow } from './recover.js'
import { runStartFaults } from './refused-start.js'
import { underTraffic } from './under-traffic.js'

const NAMED = /plan/i
const RELOAD_LIMIT_MS = 20_000

const plansOf = (dataDir: string) => path.join(dataDir, 'plans.json')

export const plansDamaged: Scenario = {
  name: 'plans-damaged',
  isInSelection: false,
  run: async (environment) => [
    ...(await runStartFaults(environment, [
      {
        fault: 'Plans file damaged at the start',
        injection: 'plans.json is no JSON',
        inject: (dataDir) => writeFileSync(plansOf(dataDir), '{"plans":'),
        message: NAMED,
        diagnosis: NAMED,
      },
      {
        fault: 'Plans file missing at the start',
        injection: 'plans.json is deleted; organisations are on a plan of their own',
        inject: (dataDir) => rmSync(plansOf(dataDir)),
        message: NAMED,
        diagnosis: NAMED,
      },
    ])),
    await reloadDamagedPlans(environment),
  ],
}

async function reloadDamagedPlans(environment: FaultEnvironment): Promise<OutcomeRow> {
  const check = new Expectations()
  const service = await environment.createService()
  const ledger = new Ledger()
  await service.start()
  writeFileSync(plansOf(service.dataDir), '{"plans":')
  const seen = await underTraffic(service, ledger, async () => {
    service.signal('SIGUSR2')
    const took = await waitUntil(() => service.log.count('the reload failed') > 0, RELOAD_LIMIT_MS)
    check.expect(took !== undefined, 'the failed reload is not in the log')
    await sleep(500)
  })
  const others = [...seen.summary.outcomes.keys()].filter((outcome) => outcome !== '200')
  check.expect(others.length === 0, `partners got ${others.join(', ')}`)
  return completeRow(service, ledger, {
    fault: 'Plans file damaged at a reload',
    injection: 'plans.json is no JSON; SIGUSR2',
    partners: String(seen.summary),
    operator: formatOperatorView(seen),
    recovery: 'the plans in use stay; mend the file and reload',
    deviations: check.deviations,
  })
}
