import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultEnvironment } from '../environment/fault-environment.js'
import type { ServiceProcess } from '../environment/service-process.js'
import { Expectations } from '../expectations.js'
import { Ledger } from '../ledger/ledger.js'
import type { OutcomeRow, Scenario } from '../scenario.js'
import { completeRow } from './recover.js'
import { fillLedger, underTraffic } from './under-traffic.js'

const KILLS = 8

export const backupInterrupted: Scenario = {
  name: 'backup-interrupted',
  isInSelection: false,
  run: async (environment) => {
    const service = await environment.createService()
    const ledger = new Ledger()
    await service.start()
    await fillLedger(service, ledger, 3_000)
    const folder = path.join(environment.folder, 'backups')
    mkdirSync(folder)
    return [
      await interruptBackups(environment, service, { ledger, folder }),
      await interruptRestores(environment, service, { ledger, folder }),
    ]
  },
}

interface Places {
  ledger: Ledger
  folder: string
}

async function interruptBackups(
  environment: FaultEnvironment,
  service: ServiceProcess,
  { ledger, folder }: Places,
): Promise<OutcomeRow> {
  const check = new Expectations()
  let completed = 0
  await underTraffic(service, ledger, async () => {
    const tookMs = await timeIt(() => service.admin('backup', path.join(folder, 'first')))
    for (let kill = 0; kill < KILLS; kill++) {
      const target = path.join(folder, `interrupted-${kill}`)
      await interrupt(environment, { service, args: ['backup', target], tookMs })
      if (!existsSync(target)) continue
      completed++
      const names = readdirSync(target)
      check.expect(names.includes('manifest.json'), 'an interrupted backup has its final name')
    }
  })
  await sleep(300)
  const { code, output } = await service.admin('backup', path.join(folder, 'last'))
  check.expect(code === 0, `the next backup fails: ${output}`)
  return completeRow(service, ledger, {
    fault: 'Backup interrupted',
    injection: `kill -9 of ${KILLS} backups at random moments, under load`,
    partners: 'nothing',
    operator: `${completed} backups were complete; the others left only folders named .part`,
    recovery: 'the next backup succeeds; delete the .part folders',
    deviations: check.deviations,
  })
}

/** After each kill the service must not start on half a database; the same restore, run again, completes it. */
async function interruptRestores(
  environment: FaultEnvironment,
  service: ServiceProcess,
  { ledger, folder }: Places,
): Promise<OutcomeRow> {
  const check = new Expectations()
  await service.stop()
  const args = ['restore', path.join(folder, 'last')]
  const tookMs = await timeIt(() => service.admin(...args))
  let refused = 0
  for (let kill = 0; kill < KILLS; kill++) {
    await interrupt(environment, { service, args, tookMs })
    const outcome = await service.tryStart()
    if (outcome === 'listening') await service.stop()
    else {
      refused++
      check.expect(/restore/.test(outcome.output), `a start says: ${outcome.output}`)
      const { code, output } = await service.admin(...args)
      check.expect(code === 0, `the same restore, run again, fails: ${output}`)
    }
  }
  await service.start()
  return completeRow(service, ledger, {
    fault: 'Restore interrupted',
    injection: `kill -9 of ${KILLS} restores at random moments`,
    partners: 'nothing answers',
    operator: `${refused} starts were refused until the same restore was run again; the others found the old or the new data`,
    recovery: 'run the same restore again, start',
    deviations: check.deviations,
  })
}

async function interrupt(
  environment: FaultEnvironment,
  { service, args, tookMs }: { service: ServiceProcess; args: string[]; tookMs: number },
): Promise<void> {
  const { child, result } = environment.keep(service.startAdmin(args))
  // The first half of the time goes into starting Node.
  await sleep(tookMs * (0.5 + 0.5 * environment.random()))
  child.kill('SIGKILL')
  await result
}

async function timeIt(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
