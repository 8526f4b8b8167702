import { roundTo } from '../../text/round-to.js'
import { describeMachine } from '../describe-machine.js'
import { mean } from '../statistics/agreement.js'
import { median, quantile } from '../statistics/quantile.js'
import type { BenchOptions } from './bench-options.js'
import {
  createMatchBody,
  createOpenersBody,
  createPreferencesBody,
  newPhoto,
  readExamplePairs,
} from './example-calls.js'
import {
  measureCapacity,
  sendAt,
  type TimedResponse,
  type Workload,
} from './load-generator/http-load.js'
import { drawArrivals, prepareBodies } from './load-generator/open-loop.js'
import {
  plotLoad,
  printLoad,
  type CallLoad,
  type LoadReport,
  type LoadStep,
  type OverloadSummary,
} from './report/load-report.js'
import { publish } from './report/publish.js'
import { summarizeTail } from './report/summaries.js'
import { watchCores } from './service/service-processes.js'
import { startService, type RunningService } from './service/start-service.js'

const LOADS = [0.5, 0.8, 1, 2, 3]
/** The first seconds of a step fill the queues and are left out of its results. */
const SETTLING_SECONDS = 5

/**
 * Measures the three calls, or selected ones, with new photos at rising load. The sustainable load is the throughput of
 * as many clients as the service works for at a time, each of which sends its next request after its answer.
 */
export async function runBenchmark(options: BenchOptions): Promise<void> {
  const { only, rounds = 1 } = options
  const service = await startService({}, { isProfiled: options.profile })
  const calls: CallLoad[] = []
  let profile
  try {
    for (const workload of createWorkloads()) {
      if (only === undefined || only.includes(workload.name)) {
        calls.push(await measureCall(service, workload, rounds))
      }
    }
  } finally {
    profile = await service.close()
  }
  const benchmark = only === undefined ? 'load' : `load-${only.join('-')}`
  const report: LoadReport = { benchmark, machine: describeMachine(), calls, profile }
  publish(report, options, { print: printLoad, plots: plotLoad })
}

interface LoadWorkload extends Workload {
  name: string
  /** As many as the service works for at a time with its default configuration. */
  clients: number
  warmUpSeconds: number
  /** Long enough for about forty answers on two cores. */
  capacitySeconds: number
  /** Length of a step. */
  seconds: number
}

function createWorkloads(): LoadWorkload[] {
  const pairs = readExamplePairs()
  let next = 0
  const nextPair = () => pairs[next++ % pairs.length]!
  const photo = newPhoto
  return [
    {
      name: 'match',
      route: '/v1/match/evaluate',
      clients: 8,
      // Every pair once: otherwise the cost of wording reasons would be attributed to the photos.
      warmUpSeconds: 20,
      capacitySeconds: 10,
      seconds: 20,
      createBody: () => createMatchBody(nextPair(), { withPreferences: true, photo }),
    },
    {
      name: 'preferences',
      route: '/v1/profile/infer-preferences',
      clients: 6,
      warmUpSeconds: 2,
      capacitySeconds: 30,
      seconds: 30,
      createBody: () => createPreferencesBody(nextPair(), { photo }),
    },
    {
      name: 'openers',
      route: '/v1/conversation/openers',
      clients: 2,
      warmUpSeconds: 2,
      capacitySeconds: 60,
      seconds: 40,
      createBody: () => createOpenersBody(nextPair(), { photo }),
    },
  ]
}

async function measureCall(
  service: RunningService,
  workload: LoadWorkload,
  rounds: number,
): Promise<CallLoad> {
  const { name, clients, warmUpSeconds, capacitySeconds } = workload
  await measureCapacity(service, workload, { clients, seconds: warmUpSeconds })
  const sustainable = await measureCapacity(service, workload, {
    clients,
    seconds: capacitySeconds,
  })
  console.error(`▸ ${name}: ${roundTo(sustainable, 2)} a second`)
  const steps: LoadStep[] = []
  for (const load of LOADS) {
    steps.push(await measureStep(service, workload, { load, sustainable, rounds }))
  }
  return {
    name,
    sustainablePerSecond: roundTo(sustainable, 2),
    steps,
    ...summarizeOverload(steps),
  }
}

async function measureStep(
  service: RunningService,
  { route, createBody, seconds }: LoadWorkload,
  { load, sustainable, rounds }: { load: number; sustainable: number; rounds: number },
): Promise<LoadStep> {
  const perSecond = load * sustainable
  const responses: TimedResponse[] = []
  const cores: Record<string, number>[] = []
  // Reading it starts a new measurement.
  await service.readEventLoopDelayP99()
  for (let round = 0; round < rounds; round++) {
    const times = drawArrivals({ perSecond, seconds })
    const nextBody = prepareBodies(createBody, times.length)
    const readCores = watchCores(service.pid)
    responses.push(...(await sendAt(service, { route, nextBody }, times)))
    cores.push(readCores())
  }
  return {
    load,
    perSecond: roundTo(perSecond, 2),
    ...summarizeResponses(responses, { seconds, rounds }),
    eventLoopDelayP99Ms: await service.readEventLoopDelayP99(),
    cores: averageCores(cores),
  }
}

/** Means over the rounds of a step, each until its last answer. */
function averageCores(rounds: readonly Record<string, number>[]): Record<string, number> {
  const names = Object.keys(rounds[0] ?? {})
  return Object.fromEntries(
    names.map((name) => [name, roundTo(mean(rounds.map((cores) => cores[name]!)), 2)]),
  )
}

function summarizeResponses(
  responses: readonly TimedResponse[],
  { seconds, rounds }: { seconds: number; rounds: number },
) {
  const fromMs = SETTLING_SECONDS * 1_000
  const counted = responses.filter(({ dueMs }) => dueMs >= fromMs)
  const served = counted.filter(({ status }) => status === 200)
  const refused = counted.filter(({ status }) => status === 503)
  // Goodput counts answers by arrival, so a queue that only grows does not count as throughput.
  const inTime = responses.filter(({ status, dueMs, latencyMs }) => {
    const endedMs = dueMs + latencyMs
    return status === 200 && endedMs >= fromMs && endedMs < seconds * 1_000
  })
  const latencies = served.map(({ latencyMs }) => latencyMs)
  const stageP50 = (stage: string) =>
    roundTo(median(served.map(({ timing }) => timing[stage] ?? 0)), 1)
  return {
    requests: counted.length,
    served: served.length,
    servedPerSecond: roundTo(inTime.length / (seconds - SETTLING_SECONDS) / rounds, 2),
    refused: refused.length,
    failed: counted.length - served.length - refused.length,
    p50Ms: roundTo(median(latencies), 1),
    p95Ms: roundTo(quantile(latencies, 0.95), 1),
    ...summarizeTail(latencies),
    refusal: summarizeTail(refused.map(({ latencyMs }) => latencyMs)),
    queueP50Ms: stageP50('queue'),
    visionP50Ms: stageP50('vision'),
    languageP50Ms: stageP50('language'),
  }
}

function summarizeOverload(steps: readonly LoadStep[]): OverloadSummary {
  const stepAt = (load: number) => steps.find((step) => step.load === load)!
  const [threefold, eightTenths] = [stepAt(3), stepAt(0.8)]
  const tailRatio =
    threefold.p99Ms !== undefined && eightTenths.p99Ms !== undefined
      ? { p99AtThreefoldToEightTenths: roundTo(threefold.p99Ms / eightTenths.p99Ms, 2) }
      : {
          longestAtThreefoldToEightTenths: roundTo(threefold.longestMs / eightTenths.longestMs, 2),
        }
  const highestGoodput = Math.max(...steps.map(({ servedPerSecond }) => servedPerSecond))
  return {
    ...tailRatio,
    goodputAtThreefoldToMost: roundTo(threefold.servedPerSecond / highestGoodput, 2),
    longestAtThreefoldMs: threefold.longestMs,
    refusalAtThreefold: threefold.refusal,
  }
}
