import type { ServiceProcess } from '../environment/service-process.js'
import { Expectations } from '../expectations.js'
import { Ledger } from '../ledger/ledger.js'
import { formatOperatorView } from '../report/operator-view.js'
import type { OutcomeRow, Scenario } from '../scenario.js'
import { completeRow } from './recover.js'
import { expectOperatorMessage } from './storage-expectations.js'
import { underTraffic } from './under-traffic.js'

export const doubleStart: Scenario = {
  name: 'double-start',
  isInSelection: true,
  run: async (environment) => {
    const service = await environment.createService()
    await service.start()
    const ledger = new Ledger()
    const onSameFolder = await environment.createServiceOn(service.dataDir)
    const other = await environment.createService()
    const { port } = new URL(service.baseUrl)
    return [
      await startSecond(service, ledger, {
        fault: 'Second server on the same data folder',
        injection: 'start with the same DATA_DIR and another port',
        start: () => onSameFolder.tryStart(),
        message: /Another server/,
      }),
      await startSecond(service, ledger, {
        fault: 'Second server on the same port',
        injection: 'start with another DATA_DIR and the same PORT',
        start: () => startOnTakenPort(other, port),
        message: /port|address/i,
      }),
    ]
  },
}

/** `tryStart` would take the answers of the first server for those of the second. */
async function startOnTakenPort(service: ServiceProcess, port: string) {
  service.spawn({ PORT: port })
  return service.waitForExit()
}

interface SecondStart {
  fault: string
  injection: string
  start: () => ReturnType<ServiceProcess['tryStart']>
  message: RegExp
}

async function startSecond(
  service: ServiceProcess,
  ledger: Ledger,
  { fault, injection, start, message }: SecondStart,
): Promise<OutcomeRow> {
  const check = new Expectations()
  let text = ''
  const seen = await underTraffic(service, ledger, async () => {
    const outcome = await start()
    check.expect(outcome !== 'listening', 'the second server starts')
    if (outcome === 'listening') return
    text = outcome.output
    check.expect(outcome.code === 1, `exit code ${outcome.code}`)
    expectOperatorMessage(check, text, message)
  })
  const others = [...seen.summary.outcomes.keys()].filter((outcome) => outcome !== '200')
  check.expect(others.length === 0, `partners of the first server got ${others.join(', ')}`)
  return completeRow(service, ledger, {
    fault,
    injection,
    partners: `of the first server: ${String(seen.summary)}`,
    operator: formatOperatorView({ message: text }),
    recovery: 'the first server goes on',
    deviations: check.deviations,
  })
}
