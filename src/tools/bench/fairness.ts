import process from 'node:process'
import { roundTo } from '../../text/round-to.js'
import { describeMachine } from '../describe-machine.js'
import type { BenchOptions } from './bench-options.js'
import { selectAttacks } from './fairness/all-attacks.js'
import { requestOriginatingCall } from './fairness/event-batch.js'
import { printFairness, type FairnessReport } from './fairness/fairness-report.js'
import { startFairnessService, type FairnessService } from './fairness/fairness-service.js'
import { runPacedClients, type PacedLoad } from './fairness/paced-clients.js'
import { runAttacks } from './fairness/run-attacks.js'
import { createVictimCalls, mostCallsPerSecond, type VictimCall } from './fairness/victim-calls.js'
import { publish } from './report/publish.js'

/** The whole run takes ten minutes with this. */
const DEFAULT_SECONDS = 16
const CLIENTS = 6
/** Combinations of persons that are left to the victim. */
const PAIRS_OF_VICTIM = 3_000
const WARM_UP_SECONDS = 6
const CAPACITY_SECONDS = 12
/** Below the half that is the victim's fair share while another organisation asks all the time. */
const DEMAND = 0.35
/** Of the plan's rate limit, which the victim stays below on fast machines. */
const MOST_OF_RATE_LIMIT = 0.5

/**
 * Measures what an organisation keeps of its throughput and latency while another one on the same plan attacks by each of
 * several means at its full rate limit. Exits with status 1 when it keeps less than it must, beyond a margin for noise.
 */
export async function runBenchmark(options: BenchOptions): Promise<void> {
  const { only, rounds = 1, seconds = DEFAULT_SECONDS } = options
  let service = await startFairnessService()
  try {
    const capacity = await measureCapacity(service)
    const rateLimit = mostCallsPerSecond(service.attacker.requestsPerMinute)
    const perSecond = Math.min(DEMAND * capacity, MOST_OF_RATE_LIMIT * rateLimit)
    console.error(`▸ capacity ${roundTo(capacity, 1)}, victim ${roundTo(perSecond, 1)} a second`)
    const nextCall = await createCalls(service)
    const load: PacedLoad = { nextCall, clients: CLIENTS, perSecond, seconds }
    const restart = async (broken: FairnessService) => {
      await broken.close()
      service = await startFairnessService()
      await measureCapacity(service)
      load.nextCall = await createCalls(service)
      return service
    }
    const attacks = await runAttacks(service, selectAttacks(only), { load, rounds, restart })
    const report: FairnessReport = {
      benchmark: only === undefined ? 'fairness' : `fairness-${only.join('-')}`,
      machine: describeMachine(),
      capacityPerSecond: roundTo(capacity, 2),
      victim: {
        clients: CLIENTS,
        perSecond: roundTo(perSecond, 2),
        secondsOfPhase: seconds,
        rounds,
      },
      attacks,
    }
    publish(report, options, { print: printFairness })
    if (attacks.some(({ verdict }) => verdict === 'missed')) process.exitCode = 1
  } finally {
    await service.close()
  }
}

async function createCalls(service: FairnessService): Promise<() => VictimCall> {
  return createVictimCalls(await requestOriginatingCall(service.victim))
}

/**
 * Warms up, and measures the calls a second of the victim's mix when every client asks again at once. The first organisation asks,
 * whose plan has no limits, so that nothing of the victim's own rate limit is used.
 */
async function measureCapacity(service: FairnessService): Promise<number> {
  const nextCall = createVictimCalls(await requestOriginatingCall(service), PAIRS_OF_VICTIM)
  const load = { nextCall, clients: CLIENTS, perSecond: Infinity }
  await runPacedClients(service, { ...load, seconds: WARM_UP_SECONDS })
  const calls = await runPacedClients(service, { ...load, seconds: CAPACITY_SECONDS })
  return calls.filter(({ status }) => status === 200).length / CAPACITY_SECONDS
}
