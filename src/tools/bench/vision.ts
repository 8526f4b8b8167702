import { roundTo } from '../../text/round-to.js'
import { describeMachine, type Machine } from '../describe-machine.js'
import { median, quantile } from '../statistics/quantile.js'
import type { BenchOptions } from './bench-options.js'
import { callAt, drawArrivals } from './load-generator/open-loop.js'
import { findPeer } from './peers/peer-process.js'
import { drawLinePlot, type Point } from './report/line-plot.js'
import { formatTable, publish, type Print, type Report } from './report/publish.js'
import { formatSpread, summarizeSpread, type Spread } from './report/summaries.js'
import { THREADS } from './service/start-standalone-worker.js'
import { openBareRuntimes } from './vision/bare-runtimes.js'
import { createContender, type VisionContender } from './vision/vision-contender.js'
import {
  openPythonRuntime,
  openPythonServer,
  openService,
  openVisionWorker,
} from './vision/vision-contenders.js'
import { prepareInt8VitPack, prepareVitPack } from './vit-b32/random-vit-pack.js'

/** Photos in one request, and how many requests are sent in a round, one after the other. */
const BATCHES = [
  { photos: 1, runs: 12 },
  { photos: 4, runs: 6 },
  { photos: 16, runs: 4 },
  { photos: 64, runs: 1 },
]
const DEFAULT_ROUNDS = 5
/** Open load as a fraction of the photos per second that the service analyses one by one. */
const LOADS = [0.4, 0.8]
const LOAD_SECONDS = 15

const BARE = 'onnxruntime-node, bare'
const BARE_DECODING = `${BARE}, decoding too`
const BARE_INT8 = `${BARE}, int8`
const SERVICE = 'service over HTTP'
const SERVICE_INT8 = `${SERVICE}, int8`
const PYTHON_SERVER = 'infinity_emb over HTTP'
/** Contenders that throughput is compared with, by column. */
const BASES = {
  bare: BARE,
  'decoding too': BARE_DECODING,
  'bare int8': BARE_INT8,
  infinity: PYTHON_SERVER,
}

interface ContenderReport {
  name: string
  photosPerSecond: Spread
  latencyMs: Spread
  /** By column of `BASES`. */
  throughputTo: Record<string, Spread>
}

type OpenLoadRow = {
  name: string
  photosPerSecond: number
  refused: number
  p50Ms: number
  p95Ms: number
}

interface VisionReport extends Report {
  machine: Machine & { threads: number }
  batches: { photos: number; contenders: ContenderReport[] }[]
  openLoad: OpenLoadRow[]
}

/**
 * Measures photos per second of a ViT-B/32 together with the photo safety model: bare runtimes, the worker and the whole
 * service, also with the ViT in int8, and a Python server. All alternate in every round, so other load affects all.
 */
export async function runBenchmark(options: BenchOptions): Promise<void> {
  const contenders = await openContenders()
  try {
    const seconds = await measureBatches(contenders, options.rounds ?? DEFAULT_ROUNDS)
    const report: VisionReport = {
      benchmark: 'vision',
      machine: { ...describeMachine(), threads: THREADS },
      batches: summarizeBatches(contenders, seconds),
      openLoad: await measureOpenLoad(contenders, seconds),
    }
    publish(report, options, { print: printReport, plots: plotThroughput })
  } finally {
    for (const contender of contenders) await contender.close()
  }
}

async function openContenders(): Promise<VisionContender[]> {
  const pack = prepareVitPack()
  const bare = await openBareRuntimes(pack.visionModel)
  const contenders = [
    createContender(BARE, bare.compute),
    createContender(BARE_DECODING, bare.decodeAndCompute),
    await openVisionWorker('vision worker', pack),
    await openService(SERVICE, pack),
  ]
  const python = findPeer('BENCH_PYTHON', 'Python onnxruntime, and int8, which it makes')
  if (python) {
    const int8Pack = prepareInt8VitPack(python)
    const bareInt8 = await openBareRuntimes(int8Pack.visionModel)
    contenders.push(
      await openPythonRuntime(python, pack),
      createContender(BARE_INT8, bareInt8.compute),
      await openService(SERVICE_INT8, int8Pack),
    )
  }
  const bin = findPeer('BENCH_INFINITY', 'the Python CLIP server')
  if (bin) contenders.push(await openPythonServer(PYTHON_SERVER, bin))
  return contenders
}

/** Seconds for one request, one value a round, by contender and photos in the request. */
class RequestSeconds {
  readonly #values = new Map<string, number[]>()

  add(name: string, photos: number, seconds: number): void {
    this.#values.set(`${name} ${photos}`, [...this.of(name, photos), seconds])
  }

  of(name: string, photos: number): readonly number[] {
    return this.#values.get(`${name} ${photos}`) ?? []
  }
}

async function measureBatches(
  contenders: readonly VisionContender[],
  rounds: number,
): Promise<RequestSeconds> {
  const seconds = new RequestSeconds()
  for (let round = 0; round < rounds; round++) {
    for (const { photos, runs } of BATCHES) {
      for (const { name, analyze } of contenders) {
        // The other contenders have evicted its data from the processor caches.
        await analyze(photos, 1)
        seconds.add(name, photos, (await analyze(photos, runs)) / runs)
      }
    }
    console.error(`▸ round ${round + 1} of ${rounds}`)
  }
  return seconds
}

function summarizeBatches(
  contenders: readonly VisionContender[],
  seconds: RequestSeconds,
): VisionReport['batches'] {
  const names = contenders.map(({ name }) => name)
  const bases = Object.entries(BASES).filter(([, name]) => names.includes(name))
  return BATCHES.map(({ photos }) => ({
    photos,
    contenders: names.map((name): ContenderReport => {
      const own = seconds.of(name, photos)
      // Compared within a round, so a slow moment of the machine affects both sides.
      const throughputTo = (base: string) => {
        const others = seconds.of(base, photos)
        return summarizeSpread(
          own.map((value, round) => others[round]! / value),
          2,
        )
      }
      return {
        name,
        photosPerSecond: summarizeSpread(own.map((value) => photos / value)),
        latencyMs: summarizeSpread(own.map((value) => value * 1_000)),
        throughputTo: Object.fromEntries(
          bases.map(([column, base]) => [column, throughputTo(base)]),
        ),
      }
    }),
  }))
}

/** Sends single photos at times that do not depend on answers. */
async function measureOpenLoad(
  contenders: readonly VisionContender[],
  seconds: RequestSeconds,
): Promise<OpenLoadRow[]> {
  const capacity = 1 / median(seconds.of(SERVICE, 1))
  const rows: OpenLoadRow[] = []
  for (const load of LOADS) {
    for (const { name, analyzeOne } of contenders) {
      if (!analyzeOne || ![SERVICE, PYTHON_SERVER].includes(name)) continue
      const perSecond = load * capacity
      const arrivals = drawArrivals({ perSecond, seconds: LOAD_SECONDS })
      const outcomes = await callAt(arrivals, () =>
        analyzeOne().then(
          () => ({ isServed: true }),
          () => ({ isServed: false }),
        ),
      )
      const latencies = outcomes
        .filter(({ isServed }) => isServed)
        .map(({ latencyMs }) => latencyMs)
      rows.push({
        name,
        photosPerSecond: roundTo(perSecond, 1),
        refused: outcomes.length - latencies.length,
        p50Ms: roundTo(median(latencies), 0),
        p95Ms: roundTo(quantile(latencies, 0.95), 0),
      })
    }
  }
  return rows
}

function printReport({ batches, openLoad }: VisionReport, print: Print): void {
  for (const { photos, contenders } of batches) {
    print(`\nRequests of ${photos} photo${photos > 1 ? 's' : ''}\n`)
    print(formatTable(contenders.map(toRow)))
  }
  print('\nSingle photos at open load\n')
  print(formatTable(openLoad))
}

function toRow({ name, photosPerSecond, latencyMs, throughputTo }: ContenderReport) {
  const ratios = Object.entries(throughputTo).map(([base, ratio]): [string, string] => [
    `: ${base}`,
    formatSpread(ratio),
  ])
  return {
    contender: name,
    'photos /s': formatSpread(photosPerSecond),
    'latency, ms': formatSpread(latencyMs),
    ...Object.fromEntries(ratios),
  }
}

function plotThroughput({ batches }: VisionReport): Record<string, string> {
  const names = batches[0]!.contenders.map(({ name }) => name)
  const lineOf = (index: number) =>
    batches.map(({ photos, contenders }): Point => [
      photos,
      contenders[index]!.photosPerSecond.median,
    ])
  return {
    vision: drawLinePlot({
      title: 'Photos a second, ViT-B/32 and photo safety',
      x: { name: 'photos in a request', log: true },
      y: { name: 'photos a second' },
      series: Object.fromEntries(names.map((name, index) => [name, lineOf(index)])),
    }),
  }
}
