import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultEnvironment } from '../environment/fault-environment.js'
import type { ServiceProcess } from '../environment/service-process.js'
import { auditLedger, countLost, describeAudit } from '../ledger/audit-ledger.js'
import { Ledger } from '../ledger/ledger.js'
import { Traffic, TrafficSummary } from '../ledger/traffic.js'
import type { OutcomeRow, Scenario } from '../scenario.js'

/** Half of the kills hit the start, which takes about three seconds, the others a server under load. */
const MAX_START_MS = 3_000
const MAX_LOAD_MS = 1_500

/** Calls, events and new keys are in flight whenever the server is killed, start included. */
export const killServer: Scenario = {
  name: 'kill-server',
  isInSelection: true,
  run: async (environment) => {
    const service = await environment.createService()
    const ledger = new Ledger()
    const seen = new TrafficSummary()
    await service.start('ready')
    for (let kill = 0; kill < environment.settings.kills; kill++) {
      await killOnce(environment, service, { ledger, seen, isStarting: kill % 2 === 1 })
    }
    const startedAt = performance.now()
    await service.start('ready')
    const startMs = performance.now() - startedAt
    const audit = await auditLedger(service, ledger)
    return [describeOutcome({ environment, ledger, seen, startMs, audit })]
  },
}

interface Books {
  ledger: Ledger
  seen: TrafficSummary
}

/** Starts the server unless it runs, and kills it a moment later. The traffic repeats what got no answer before. */
async function killOnce(
  environment: FaultEnvironment,
  service: ServiceProcess,
  { ledger, seen, isStarting }: Books & { isStarting: boolean },
): Promise<void> {
  if (isStarting) service.spawn()
  else if (!service.isRunning) await service.start('ready')
  const traffic = new Traffic(service, ledger)
  const creating = createKey(environment, service, { ledger, isKilled: isStarting })
  await sleep(environment.random() * (isStarting ? MAX_START_MS : MAX_LOAD_MS))
  if (!service.isRunning) throw new Error(`The service ended by itself: ${service.log.text()}`)
  await service.kill()
  const [summary] = await Promise.all([traffic.stop(), creating])
  seen.addAll(summary)
}

/** Creates a key with the operator's command, which may be killed too. A key that was printed is acknowledged. */
async function createKey(
  environment: FaultEnvironment,
  service: ServiceProcess,
  { ledger, isKilled }: { ledger: Ledger; isKilled: boolean },
): Promise<void> {
  const command = ['key', 'create', 'First organisation', '--json']
  const { child, result } = environment.keep(service.startAdmin(command))
  if (isKilled) setTimeout(() => child.kill('SIGKILL'), environment.random() * 1_000)
  const { code, stdout } = await result
  if (code === 0) ledger.keys.push((JSON.parse(stdout) as { api_key: string }).api_key)
}

interface Result extends Books {
  environment: FaultEnvironment
  startMs: number
  audit: Awaited<ReturnType<typeof auditLedger>>
}

function describeOutcome({ environment, ledger, seen, startMs, audit }: Result): OutcomeRow {
  const events = ledger.acknowledgedBatches().reduce((sum, { size }) => sum + size, 0)
  const { kills } = environment.settings
  return {
    fault: 'Server killed',
    injection: `kill -9 at ${kills} random moments, the start included, with calls, events and new keys in flight`,
    partners: `connections end (${seen.count('no answer')} requests); retries with the same keys succeed`,
    operator: `the next start is ready after ${(startMs / 1_000).toFixed(1)} s`,
    recovery: `by itself: ${events} events, ${ledger.answeredCalls().length} calls, ${ledger.keys.length} keys checked`,
    acknowledged: ledger.countAcknowledged(),
    lost: countLost(audit),
    deviations: describeAudit(audit),
  }
}
