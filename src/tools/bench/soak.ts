import { setTimeout as sleep } from 'node:timers/promises'
import { roundTo } from '../../text/round-to.js'
import { describeMachine } from '../describe-machine.js'
import { median } from '../statistics/quantile.js'
import type { BenchOptions } from './bench-options.js'
import {
  createMatchBody,
  createOpenersBody,
  createPreferencesBody,
  newPhoto,
  readExamplePairs,
  type ExamplePair,
} from './example-calls.js'
import { sendAt, type TimedResponse } from './load-generator/http-load.js'
import { drawArrivals } from './load-generator/open-loop.js'
import { drawLinePlot, type Point } from './report/line-plot.js'
import { formatTable, publish, type Print, type Report } from './report/publish.js'
import {
  findProcesses,
  readResidentMb,
  SERVICE_ROLES,
  type ServiceRole,
} from './service/service-processes.js'
import { startService, type RunningService } from './service/start-service.js'

const DEFAULT_MINUTES = 30
/** Heaps, buffers of the decoder and pages of the model file reach their size in the first minutes. */
const WARM_UP_MINUTES = 6
const REST_SECONDS = 30
const SAMPLE_INTERVAL_MS = 5_000
const REQUESTS_PER_SECOND = 0.35
/** Small enough to fill during warm-up: a cache that still grows would look like a leak. */
const ENVIRONMENT = { PHOTO_CACHE_ENTRIES: '50' }

/** `weight`: of ten requests. Every request has new photos. */
const WORKLOADS: readonly {
  route: string
  weight: number
  createBody: (pair: ExamplePair) => unknown
}[] = [
  {
    route: '/v1/match/evaluate',
    weight: 8,
    createBody: (pair) => createMatchBody(pair, { withPreferences: true, photo: newPhoto }),
  },
  {
    route: '/v1/profile/infer-preferences',
    weight: 1,
    createBody: (pair) => createPreferencesBody(pair, { photo: newPhoto }),
  },
  {
    route: '/v1/conversation/openers',
    weight: 1,
    createBody: (pair) => createOpenersBody(pair, { photo: newPhoto }),
  },
]

/** Megabytes of each process. */
type MemorySample = { minute: number } & Record<ServiceRole, number>

type RoleMemory = {
  role: ServiceRole
  beforeMb: number
  underLoadMb: number
  highestMb: number
  afterMb: number
  afterToBefore: number
}

interface SoakReport extends Report {
  minutes: number
  requestsPerSecond: number
  /** Number of answers by status. */
  answers: Record<string, number>
  workerEvents: Record<string, number>
  memory: RoleMemory[]
  samples: MemorySample[]
}

/** Measures the memory of each process at rest after a warm-up, under a lasting moderate load, and at rest again. */
export async function runBenchmark(options: BenchOptions): Promise<void> {
  const minutes = options.minutes ?? DEFAULT_MINUTES
  const service = await startService(ENVIRONMENT)
  const recorder = recordMemory(service.pid)
  try {
    await sendMix(service, Math.min(WARM_UP_MINUTES, minutes))
    const before = await sampleAtRest(recorder)
    const loadFrom = recorder.samples.length
    const responses = await sendMix(service, minutes)
    const under = recorder.samples.slice(loadFrom)
    const after = await sampleAtRest(recorder)
    const report: SoakReport = {
      benchmark: 'soak',
      machine: describeMachine(),
      minutes,
      requestsPerSecond: REQUESTS_PER_SECOND,
      answers: countByStatus(responses),
      workerEvents: await readWorkerEvents(service),
      memory: summarizeMemory({ before, under, after }),
      samples: recorder.samples,
    }
    publish(report, options, { print: printReport, plots: plotMemory })
  } finally {
    recorder.stop()
    await service.close()
  }
}

interface MemoryRecorder {
  samples: MemorySample[]
  stop(): void
}

/** Finds the processes anew for every sample, because a replaced worker has another process id. */
function recordMemory(serverPid: number): MemoryRecorder {
  const startedAt = performance.now()
  const samples: MemorySample[] = []
  const timer = setInterval(() => {
    const minute = roundTo((performance.now() - startedAt) / 60_000, 2)
    const pids = findProcesses(serverPid)
    // A worker is missing while it is being replaced.
    if (Object.values(pids).some(Number.isNaN)) return
    const residentMb = (role: ServiceRole) => roundTo(readResidentMb(pids[role]), 1)
    samples.push({
      minute,
      server: residentMb('server'),
      vision: residentMb('vision'),
      language: residentMb('language'),
    })
  }, SAMPLE_INTERVAL_MS)
  return { samples, stop: () => clearInterval(timer) }
}

/** Rests, and returns the samples of the second half of the rest. */
async function sampleAtRest({ samples }: MemoryRecorder): Promise<MemorySample[]> {
  await sleep(REST_SECONDS * 1_000)
  return samples.slice(-Math.floor((REST_SECONDS * 1_000) / SAMPLE_INTERVAL_MS / 2))
}

async function sendMix(service: RunningService, minutes: number): Promise<TimedResponse[]> {
  const pairs = readExamplePairs()
  let next = 0
  const totalWeight = WORKLOADS.reduce((sum, { weight }) => sum + weight, 0)
  const responses = await Promise.all(
    WORKLOADS.map(({ route, weight, createBody }) => {
      const perSecond = (REQUESTS_PER_SECOND * weight) / totalWeight
      const nextBody = () => Buffer.from(JSON.stringify(createBody(pairs[next++ % pairs.length]!)))
      const times = drawArrivals({ perSecond, seconds: minutes * 60 })
      return sendAt(service, { route, nextBody }, times)
    }),
  )
  return responses.flat()
}

/** Starts, ends and replacements of workers since the start of the service, by role. */
async function readWorkerEvents(service: RunningService): Promise<Record<string, number>> {
  const lines = (await service.readMetrics()).matchAll(
    /^pis_worker_events_total\{role="(\w+)",event="(\w+)"\} (\d+)/gm,
  )
  return Object.fromEntries(
    [...lines].map(([, role, event, count]) => [`${role} ${event}`, Number(count)]),
  )
}

function countByStatus(responses: readonly TimedResponse[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

function summarizeMemory({
  before,
  under,
  after,
}: Record<'before' | 'under' | 'after', MemorySample[]>): RoleMemory[] {
  return SERVICE_ROLES.map((role) => {
    const valuesOf = (samples: readonly MemorySample[]) => samples.map((sample) => sample[role])
    const [beforeMb, afterMb] = [median(valuesOf(before)), median(valuesOf(after))]
    return {
      role,
      beforeMb: roundTo(beforeMb, 0),
      underLoadMb: roundTo(median(valuesOf(under)), 0),
      highestMb: roundTo(Math.max(...valuesOf(under)), 0),
      afterMb: roundTo(afterMb, 0),
      afterToBefore: roundTo(afterMb / beforeMb, 3),
    }
  })
}

function printReport(report: SoakReport, print: Print): void {
  print(`\n${report.minutes} minutes; answers by status: ${JSON.stringify(report.answers)}`)
  print(`Workers: ${JSON.stringify(report.workerEvents)}\n`)
  print(formatTable(report.memory))
}

function plotMemory({ samples }: SoakReport): Record<string, string> {
  return {
    soak: drawLinePlot({
      title: 'Resident memory',
      x: { name: 'minutes' },
      y: { name: 'MB' },
      series: Object.fromEntries(
        SERVICE_ROLES.map((role) => [
          role,
          samples.map((sample): Point => [sample.minute, sample[role]]),
        ]),
      ),
    }),
  }
}
