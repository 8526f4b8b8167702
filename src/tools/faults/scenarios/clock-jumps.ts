import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultEnvironment } from '../environment/fault-environment.js'
import { Expectations } from '../expectations.js'
import { Ledger } from '../ledger/ledger.js'
import { formatOperatorView } from '../report/operator-view.js'
import type { OutcomeRow, Scenario } from '../scenario.js'
import { completeRow } from './recover.js'
import { expectLiveness } from './storage-expectations.js'
import { fillLedger, underTraffic, type Observation } from './under-traffic.js'

const CLOCK_PRELOAD = path.join(import.meta.dirname, '..', 'environment', 'clock-shift.js')
const HOUR_MS = 60 * 60 * 1_000
const JUMPS_MS = [2 * HOUR_MS, -2 * HOUR_MS, 0]
const FAULT_MS = 1_500
const PURGE_JUMP_MS = 400 * 24 * HOUR_MS
/** Refusals that a wrong clock cannot avoid. */
const WHILE_WRONG = ['400 invalid_request', '503 overloaded']
const RETENTION = { EVENTS_RETENTION_DAYS: '90', CALLS_RETENTION_DAYS: '90' }

export const clockJumps: Scenario = {
  name: 'clock-jumps',
  isInSelection: false,
  run: async (environment) => [
    await jumpUnderLoad(environment),
    await purgeWithWrongClock(environment),
  ],
}

async function jumpUnderLoad(environment: FaultEnvironment): Promise<OutcomeRow> {
  const check = new Expectations()
  const clock = createClock(environment)
  const service = await environment.createService({ env: clock.env })
  const ledger = new Ledger()
  await service.start()
  const seen = await underTraffic(service, ledger, async () => {
    for (const jump of JUMPS_MS) {
      clock.shift(jump)
      await sleep(FAULT_MS)
    }
  })
  expectOnly(check, seen, ['200', ...WHILE_WRONG])
  expectLiveness(check, seen.summary)
  const later = await underTraffic(service, ledger, () => sleep(FAULT_MS))
  expectOnly(check, later, ['200'])
  return completeRow(service, ledger, {
    fault: 'Clock jumps under load',
    injection: 'the clock of the server jumps 2 h ahead, 2 h back and to the right time',
    partners: String(seen.summary),
    operator: formatOperatorView(seen),
    recovery:
      'by itself; the clock ahead makes events look older than their calls (400) and calls in flight late (503): send them again',
    deviations: check.deviations,
  })
}

function expectOnly(check: Expectations, { summary }: Observation, allowed: readonly string[]) {
  const others = [...summary.outcomes.keys()].filter((outcome) => !allowed.includes(outcome))
  check.expect(others.length === 0, `partners got ${others.join(', ')}`)
}

async function purgeWithWrongClock(environment: FaultEnvironment): Promise<OutcomeRow> {
  const check = new Expectations()
  const clock = createClock(environment)
  const service = await environment.createService({ env: { ...clock.env, ...RETENTION } })
  const ledger = new Ledger()
  await service.start()
  await fillLedger(service, ledger)
  await service.stop()
  clock.shift(PURGE_JUMP_MS)
  const { code, output } = await service.admin('purge')
  check.expect(code === 1, `the purge ends with exit code ${code}`)
  check.expect(/clock/i.test(output), 'the purge does not name the clock')
  const diagnoses = await service.diagnose()
  clock.shift(0)
  await service.start('alive')
  return completeRow(service, ledger, {
    fault: 'Purge with a wrong clock',
    injection: 'the clock is 400 days ahead; admin purge with a retention of 90 days',
    partners: 'nothing',
    operator: formatOperatorView({ message: output, diagnoses }),
    recovery: 'set the clock; nothing was deleted',
    deviations: check.deviations,
  })
}

/** A clock that may be shifted while the service runs. */
function createClock(environment: FaultEnvironment) {
  const file = path.join(environment.folder, 'clock')
  const shift = (milliseconds: number) => writeFileSync(file, String(milliseconds))
  shift(0)
  const env = { FAULT_CLOCK_FILE: file, NODE_OPTIONS: `--import=${CLOCK_PRELOAD}` }
  return { shift, env }
}
