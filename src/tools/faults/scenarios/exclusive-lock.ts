import path from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultEnvironment } from '../environment/fault-environment.js'
import { startProgram } from '../environment/run-program.js'
import { formatWait, waitUntil } from '../environment/wait-until.js'
import { Expectations } from '../expectations.js'
import { Ledger } from '../ledger/ledger.js'
import { formatOperatorView } from '../report/operator-view.js'
import type { OutcomeRow, Scenario } from '../scenario.js'
import { completeRow } from './recover.js'
import { expectLiveness, expectStorageTrouble } from './storage-expectations.js'
import { fillLedger, underTraffic } from './under-traffic.js'

const LOCK_PROGRAM = path.join(import.meta.dirname, '..', 'environment', 'hold-lock.js')
const LOCK_MS = 15_000
const LOCKED_LIMIT_MS = 10_000
const RECOVERY_LIMIT_MS = 10_000
const STOP_LIMIT_MS = 20_000
/** The service writes its last counts when it stops, and tries for some seconds. */
const GOOD_STOP_MS = 10_000

export const exclusiveLock: Scenario = {
  name: 'exclusive-lock',
  isInSelection: false,
  run: async (environment) => [
    await lockForAWhile(environment),
    await stopWhileLocked(environment),
  ],
}

async function lockForAWhile(environment: FaultEnvironment): Promise<OutcomeRow> {
  const check = new Expectations()
  const service = await environment.createService()
  const ledger = new Ledger()
  await service.start()
  await fillLedger(service, ledger)
  const seen = await underTraffic(service, ledger, async () => {
    const unlock = await lockDatabase(environment, service.dataDir)
    await sleep(LOCK_MS)
    unlock()
  })
  expectStorageTrouble(check, seen)
  const took = await service.waitUntilReady(RECOVERY_LIMIT_MS)
  check.expect(took !== undefined, 'not ready again after the lock is gone')
  return completeRow(service, ledger, {
    fault: 'Database locked by another process',
    injection: `another process holds \`begin exclusive\` for ${LOCK_MS / 1_000} s`,
    partners: `${String(seen.summary)}; /healthz at most ${Math.round(seen.summary.slowestHealthMs)} ms`,
    operator: formatOperatorView(seen),
    recovery: `by itself, ${formatWait(took, RECOVERY_LIMIT_MS)} after the lock is gone`,
    deviations: check.deviations,
  })
}

async function stopWhileLocked(environment: FaultEnvironment): Promise<OutcomeRow> {
  const check = new Expectations()
  const service = await environment.createService()
  const ledger = new Ledger()
  await service.start()
  await fillLedger(service, ledger)
  const unlock = await lockDatabase(environment, service.dataDir)
  const stopMs = await service.stop(STOP_LIMIT_MS)
  check.expect(stopMs !== undefined && stopMs < GOOD_STOP_MS, 'SIGTERM takes longer than 10 s')
  if (stopMs === undefined) await service.kill()
  unlock()
  await service.start()
  const seen = await underTraffic(service, ledger, () => sleep(500))
  expectLiveness(check, seen.summary)
  return completeRow(service, ledger, {
    fault: 'Stop while the database is locked',
    injection: 'another process holds `begin exclusive`; SIGTERM',
    partners: 'the server closes its connections',
    operator: `the process ends after ${formatWait(stopMs, STOP_LIMIT_MS)}`,
    recovery: 'start',
    deviations: check.deviations,
  })
}

/** Returns a function that releases the lock. */
async function lockDatabase(environment: FaultEnvironment, dataDir: string): Promise<() => void> {
  const holder = environment.keep(
    startProgram(process.execPath, [LOCK_PROGRAM, path.join(dataDir, 'service.db')]),
  )
  let isLocked = false
  holder.child.stdout?.once('data', () => (isLocked = true))
  const took = await waitUntil(() => isLocked, LOCKED_LIMIT_MS)
  if (took === undefined) throw new Error('The lock could not be taken.')
  return () => void holder.child.kill('SIGKILL')
}
