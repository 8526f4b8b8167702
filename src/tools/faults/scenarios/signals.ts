import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultEnvironment } from '../environment/fault-environment.js'
import { waitUntil } from '../environment/wait-until.js'
import { Expectations } from '../expectations.js'
import { createRealBody } from '../ledger/call-bodies.js'
import { Ledger } from '../ledger/ledger.js'
import { Partner } from '../ledger/partner.js'
import type { OutcomeRow, Scenario } from '../scenario.js'
import { completeRow } from './recover.js'
import { underTraffic } from './under-traffic.js'

const SIGNALS = 20
const RELOAD_LIMIT_MS = 60_000
const QUIET_MS = 4_000
const CALLS_IN_FLIGHT = 4

export const signals: Scenario = {
  name: 'signals',
  isInSelection: false,
  run: async (environment) => [
    await reloadEarly(environment),
    await reloadOften(environment),
    await stopTwice(environment),
  ],
}

async function reloadEarly(environment: FaultEnvironment): Promise<OutcomeRow> {
  const check = new Expectations()
  const service = await environment.createService()
  const ledger = new Ledger()
  service.spawn()
  for (let moment = 0; moment < SIGNALS; moment++) {
    await sleep(100)
    service.signal('SIGUSR2')
  }
  const isReady = async () => (await service.readiness()) === 200
  await waitUntil(async () => !service.isRunning || (await isReady()), RELOAD_LIMIT_MS)
  check.expect(service.isRunning, 'the signal ended the server')
  if (!service.isRunning) await service.start('alive')
  return completeRow(service, ledger, {
    fault: 'Reload signals during the start',
    injection: `SIGUSR2 every 100 ms in the first ${SIGNALS / 10} s`,
    partners: 'nothing',
    operator: 'the start goes on',
    recovery: 'nothing to do',
    deviations: check.deviations,
  })
}

async function reloadOften(environment: FaultEnvironment): Promise<OutcomeRow> {
  const check = new Expectations()
  const service = await environment.createService()
  const ledger = new Ledger()
  await service.start()
  const seen = await underTraffic(service, ledger, async () => {
    for (let signal = 0; signal < SIGNALS; signal++) {
      service.signal('SIGUSR2')
      await sleep(20)
    }
    await waitUntil(() => service.log.count('models reloaded') > 0, RELOAD_LIMIT_MS)
    await sleep(QUIET_MS)
  })
  const reloads = service.log.count('models reloaded')
  check.expect(reloads >= 1 && reloads <= 2, `${SIGNALS} signals cause ${reloads} reloads`)
  const others = [...seen.summary.outcomes.keys()].filter((outcome) => outcome !== '200')
  check.expect(others.length === 0, `partners got ${others.join(', ')}`)
  return completeRow(service, ledger, {
    fault: 'Many reload signals',
    injection: `${SIGNALS} × SIGUSR2 within half a second`,
    partners: String(seen.summary),
    operator: `${reloads} reloads`,
    recovery: 'nothing to do',
    deviations: check.deviations,
  })
}

async function stopTwice(environment: FaultEnvironment): Promise<OutcomeRow> {
  const check = new Expectations()
  const service = await environment.createService()
  const ledger = new Ledger()
  await service.start()
  const partner = new Partner(service, ledger)
  const inFlight = Array.from({ length: CALLS_IN_FLIGHT }, () =>
    partner.call(ledger.nextCall(createRealBody, true)),
  )
  await sleep(100)
  service.signal('SIGTERM')
  await sleep(20)
  service.signal('SIGTERM')
  const answers = (await Promise.all(inFlight)).map(({ outcome }) => outcome)
  check.expect(
    answers.every((outcome) => outcome === '200'),
    `calls in flight got ${[...new Set(answers)].join(', ')}`,
  )
  await waitUntil(() => !service.isRunning, RELOAD_LIMIT_MS)
  await service.start('alive')
  return completeRow(service, ledger, {
    fault: 'Two stop signals',
    injection: `SIGTERM twice with ${CALLS_IN_FLIGHT} real matches in flight`,
    partners: `calls in flight: ${[...new Set(answers)].join(', ')}`,
    operator: 'the process ends when they are answered',
    recovery: 'start',
    deviations: check.deviations,
  })
}
