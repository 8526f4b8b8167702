import os from 'node:os'
import { describeMachine } from '../describe-machine.js'
import { median, quantile } from '../statistics/quantile.js'
import { callAt, drawArrivals } from './open-loop.js'
import { linePlot } from './plot.js'
import { publish, table } from './publish.js'
import { roundTo, showSpread, spread } from './statistics.js'
import { findPeer } from './peers/process.js'
import { openBareRuntimes } from './vision/bare-runtimes.js'
import { contender } from './vision/contender.js'
import {
  openPythonRuntime,
  openPythonServer,
  openService,
  openVisionWorker,
} from './vision/contenders.js'
import { prepareInt8VitPack, prepareVitPack } from './vit-b32/pack.js'

/** Photos in one request, and how often it is sent in a round, one after the other. */
const BATCHES = [
  { photos: 1, runs: 12 },
  { photos: 4, runs: 6 },
  { photos: 16, runs: 4 },
  { photos: 64, runs: 1 },
]
const ROUNDS = 5
/** Open load, as a share of the photos a second that the service can do one by one. */
const LOADS = [0.4, 0.8]
const LOAD_SECONDS = 15

const BARE = 'onnxruntime-node, bare'
const BARE_DECODING = `${BARE}, decoding too`
const BARE_INT8 = `${BARE}, int8`
const SERVICE = 'service over HTTP'
const SERVICE_INT8 = `${SERVICE}, int8`
const PYTHON_SERVER = 'infinity_emb over HTTP'
/** What throughput is compared with, by the name of its column. */
const BASES = {
  bare: BARE,
  'decoding too': BARE_DECODING,
  'bare int8': BARE_INT8,
  infinity: PYTHON_SERVER,
}

/**
 * Photos a second of ViT-B/32 together with the photo safety model: bare runtimes, the worker and the whole service, both also
 * with the ViT in int8, and a Python server. All take turns in every round, so that what else the machine does hits all.
 */
export async function runBenchmark(/** @type {import('./publish.js').BenchmarkOptions} */ options) {
  const opened = await openContenders()
  try {
    const seconds = await measureBatches(opened, options.rounds ?? ROUNDS)
    const report = {
      benchmark: 'vision',
      machine: { ...describeMachine(), threads: os.availableParallelism() },
      batches: summarize(opened, seconds),
      openLoad: await measureOpenLoad(opened, seconds),
    }
    publish(report, options, { print, plots })
  } finally {
    for (const each of opened) await each.close()
  }
}

/** @returns {Promise<Contender[]>} */
async function openContenders() {
  const pack = prepareVitPack()
  const bare = await openBareRuntimes(pack.visionModel)
  const opened = [
    contender(BARE, bare.compute),
    contender(BARE_DECODING, bare.decodeAndCompute),
    await openVisionWorker('vision worker', pack),
    await openService(SERVICE, pack),
  ]
  const python = findPeer('BENCH_PYTHON', 'Python onnxruntime, and int8, which it makes')
  if (python) {
    const int8Pack = prepareInt8VitPack(python)
    const bareInt8 = await openBareRuntimes(int8Pack.visionModel)
    opened.push(
      await openPythonRuntime(python, pack),
      contender(BARE_INT8, bareInt8.compute),
      await openService(SERVICE_INT8, int8Pack),
    )
  }
  const bin = findPeer('BENCH_INFINITY', 'the Python CLIP server')
  if (bin) opened.push(await openPythonServer(PYTHON_SERVER, bin))
  return opened
}

/** @typedef {import('./vision/contender.js').Contender} Contender */
/** @typedef {Map<string, number[]>} Seconds by `keyOf`: seconds for one request, one value a round */

const keyOf = (/** @type {string} */ name, /** @type {number} */ photos) => `${name} ${photos}`

/**
 * @param {Contender[]} contenders
 * @param {number} rounds
 */
async function measureBatches(contenders, rounds) {
  /** @type {Seconds} */
  const seconds = new Map()
  for (let round = 0; round < rounds; round++) {
    for (const { photos, runs } of BATCHES) {
      for (const { name, analyze } of contenders) {
        // The others have had the caches meanwhile.
        await analyze(photos, 1)
        const each = (await analyze(photos, runs)) / runs
        const key = keyOf(name, photos)
        seconds.set(key, [...(seconds.get(key) ?? []), each])
      }
    }
    console.error(`▸ round ${round + 1} of ${rounds}`)
  }
  return seconds
}

/**
 * @param {Contender[]} contenders
 * @param {Seconds} seconds
 */
function summarize(contenders, seconds) {
  const names = contenders.map(({ name }) => name)
  const bases = Object.entries(BASES).filter(([, name]) => names.includes(name))
  return BATCHES.map(({ photos }) => ({
    photos,
    contenders: contenders.map(({ name }) => {
      const own = seconds.get(keyOf(name, photos)) ?? []
      // Of the same round, so that a slow moment of the machine counts on both sides.
      const throughputTo = (/** @type {string} */ other) => {
        const base = seconds.get(keyOf(other, photos)) ?? []
        return spread(
          own.map((each, round) => (base[round] ?? Number.NaN) / each),
          2,
        )
      }
      return {
        name,
        photosPerSecond: spread(own.map((each) => photos / each)),
        latencyMs: spread(own.map((each) => each * 1_000)),
        throughputTo: Object.fromEntries(
          bases.map(([column, base]) => [column, throughputTo(base)]),
        ),
      }
    }),
  }))
}

/**
 * Single photos at times that do not depend on answers.
 * @param {Contender[]} contenders
 * @param {Seconds} seconds
 */
async function measureOpenLoad(contenders, seconds) {
  const perSecond = 1 / median(seconds.get(keyOf(SERVICE, 1)) ?? [])
  const rows = []
  for (const load of LOADS) {
    for (const { name, one } of contenders.filter((each) =>
      [SERVICE, PYTHON_SERVER].includes(each.name),
    )) {
      if (!one) continue
      const rate = load * perSecond
      const arrivals = drawArrivals({ perSecond: rate, seconds: LOAD_SECONDS })
      const outcomes = await callAt(arrivals, () =>
        one().then(
          () => ({ isServed: true }),
          () => ({ isServed: false }),
        ),
      )
      const latencies = outcomes
        .filter(({ isServed }) => isServed)
        .map(({ latencyMs }) => latencyMs)
      rows.push({
        name,
        photosPerSecond: roundTo(rate, 1),
        refused: outcomes.length - latencies.length,
        p50Ms: roundTo(median(latencies), 0),
        p95Ms: roundTo(quantile(latencies, 0.95), 0),
      })
    }
  }
  return rows
}

/** @typedef {{ batches: ReturnType<typeof summarize>, openLoad: Awaited<ReturnType<typeof measureOpenLoad>> }} Report */

function print(
  /** @type {Report} */ { batches, openLoad },
  /** @type {import('./publish.js').Say} */ say,
) {
  for (const { photos, contenders } of batches) {
    say(`\nRequests of ${photos} photo${photos > 1 ? 's' : ''}\n`)
    say(
      table(
        contenders.map((each) => ({
          contender: each.name,
          'photos /s': showSpread(each.photosPerSecond),
          'latency, ms': showSpread(each.latencyMs),
          ...Object.fromEntries(
            Object.entries(each.throughputTo).map(([base, ratio]) => [
              `: ${base}`,
              showSpread(ratio),
            ]),
          ),
        })),
      ),
    )
  }
  say('\nSingle photos at open load\n')
  say(table(openLoad))
}

function plots(/** @type {Report} */ { batches }) {
  const names = batches[0].contenders.map(({ name }) => name)
  const series = Object.fromEntries(
    names.map((name, index) => [
      name,
      batches.map(
        ({ photos, contenders }) =>
          /** @type {[number, number]} */ ([photos, contenders[index].photosPerSecond.median]),
      ),
    ]),
  )
  return {
    vision: linePlot({
      title: 'Photos a second, ViT-B/32 and photo safety',
      x: { name: 'photos in a request', log: true },
      y: { name: 'photos a second' },
      series,
    }),
  }
}
