import path from 'node:path'
import { openPack } from '../../dist/packs/open-pack.js'
import { loadPrompts } from '../../dist/inference/language/prompts.js'
import { TONES } from '../../dist/openers/styles.js'
import { projectDir } from '../prepare.js'
import { describeMachine } from '../describe-machine.js'
import { median } from '../statistics/quantile.js'
import { openLanguageWorker, openLlamaServer } from './language/contenders.js'
import { findPeer } from './peers/process.js'
import { linePlot } from './plot.js'
import { readPairs } from './profiles.js'
import { publish, table } from './publish.js'
import { roundTo, showSpread, spread } from './statistics.js'

const SEQUENCES = [1, 2, 4, 8, 16]
const ROUNDS = 5
const LLM_PACK = 'smollm2-135m-openers'
/** Openers have 20 to 30 tokens. */
const MAX_TOKENS = 24
const STYLES = ['playful_observation', 'open_question', 'shared_interest', 'confident_direct']

/**
 * Openers written at the same time, for one profile never seen before in several styles, and the time to the first
 * token of each; then the same prompts again, which leaves the writing alone. Ours and llama-server take turns.
 */
export async function runBenchmark(/** @type {import('./publish.js').BenchmarkOptions} */ options) {
  const packs = { modelsDir: path.join(projectDir, 'models'), modelsOffline: true }
  const pack = await openPack(/** @type {any} */ (packs), LLM_PACK, 'llm')
  const prompts = createPromptSource(
    await loadPrompts(pack.llm.prompts, { system: pack.llm.system }),
  )
  const bin = findPeer('BENCH_LLAMA_CPP', 'llama-server')
  const counts = []
  for (const sequences of SEQUENCES) {
    const contenders = [await openLanguageWorker(pack, sequences)]
    try {
      if (bin) contenders.push(...(await openLlamaServer(bin, pack, sequences)))
      const rounds = await measureRounds(contenders, {
        prompts: () => prompts(sequences),
        rounds: options.rounds ?? ROUNDS,
      })
      counts.push({ sequences, contenders: summarize(contenders, rounds) })
      console.error(`▸ ${sequences} sequences`)
    } finally {
      for (const { close } of contenders) await close()
    }
  }
  publish({ benchmark: 'language', machine: describeMachine(), counts }, options, { print, plots })
}

/** @typedef {import('./language/contenders.js').Contender} Contender */
/** @typedef {import('./language/contenders.js').Turn} Turn */

/**
 * Prompts of so many openers for the next profile.
 * @param {import('../../src/inference/language/prompts.js').Prompts} prompts
 * @returns {(count: number) => Turn[][]}
 */
function createPromptSource(prompts) {
  const pairs = readPairs()
  let next = 0
  return (count) => {
    const { sender, recipient } = pairs[next++ % pairs.length]
    return Array.from({ length: count }, (_, index) => {
      const { turns } = prompts.opener({
        recipient: { bio: recipient.bio, photos: [], likes: recipient.interests },
        sender: { name: sender.name, likes: sender.interests },
        tone: TONES[Math.floor(index / STYLES.length) % TONES.length],
        style: STYLES[index % STYLES.length],
      })
      return turns
    })
  }
}

/** @typedef {{ firstTokenMs: number, perSecond: number, writingPerSecond: number }} Sample */

/**
 * @param {Contender[]} contenders
 * @param {{ prompts: () => Turn[][], rounds: number }} options
 * @returns {Promise<Map<string, Sample[]>>}
 */
async function measureRounds(contenders, { prompts, rounds }) {
  /** @type {Map<string, Sample[]>} */
  const samples = new Map(contenders.map(({ name }) => [name, []]))
  for (let round = -1; round < rounds; round++) {
    const forFirstToken = prompts()
    const forText = prompts()
    for (const contender of contenders) {
      const sample = {
        firstTokenMs: await timeFirstTokens(contender, forFirstToken),
        perSecond: await timeText(contender, forText),
        // What is left once every prompt is known.
        writingPerSecond: await timeText(contender, forText),
      }
      if (round >= 0) samples.get(contender.name)?.push(sample)
    }
  }
  return samples
}

/** Median over prompts that are asked at the same time. */
async function timeFirstTokens(
  /** @type {Contender} */ contender,
  /** @type {Turn[][]} */ prompts,
) {
  const startedAt = performance.now()
  const times = await Promise.all(
    prompts.map(async (turns) => {
      await contender.generate(turns, 1)
      return performance.now() - startedAt
    }),
  )
  return median(times)
}

/** Tokens a second. */
async function timeText(/** @type {Contender} */ contender, /** @type {Turn[][]} */ prompts) {
  const startedAt = performance.now()
  const tokens = await Promise.all(prompts.map((turns) => contender.generate(turns, MAX_TOKENS)))
  const seconds = (performance.now() - startedAt) / 1_000
  return tokens.reduce((sum, count) => sum + count, 0) / seconds
}

/**
 * @param {Contender[]} contenders
 * @param {Map<string, Sample[]>} samples
 */
function summarize(contenders, samples) {
  const [ours] = contenders
  const ourSamples = samples.get(ours.name) ?? []
  return contenders.map(({ name }) => {
    const own = samples.get(name) ?? []
    const of = (/** @type {keyof Sample} */ field) => own.map((sample) => sample[field])
    // Ours to theirs, of the same round.
    const ratio = (/** @type {keyof Sample} */ field) =>
      roundTo(median(own.map((sample, round) => ourSamples[round][field] / sample[field])), 2)
    return {
      name,
      perSecond: spread(of('perSecond')),
      writingPerSecond: spread(of('writingPerSecond')),
      firstTokenMs: spread(of('firstTokenMs'), 0),
      oursTo: {
        perSecond: ratio('perSecond'),
        writingPerSecond: ratio('writingPerSecond'),
        firstTokenMs: ratio('firstTokenMs'),
      },
    }
  })
}

/** @typedef {{ counts: { sequences: number, contenders: ReturnType<typeof summarize> }[] }} Report */

function print(/** @type {Report} */ { counts }, /** @type {import('./publish.js').Say} */ say) {
  for (const { sequences, contenders } of counts) {
    say(`\n${sequences} at a time\n`)
    say(
      table(
        contenders.map(({ name, perSecond, writingPerSecond, firstTokenMs, oursTo }) => ({
          contender: name,
          'new profile, tokens /s': showSpread(perSecond),
          'ours :': oursTo.perSecond,
          'known prompt, tokens /s': showSpread(writingPerSecond),
          'ours : ': oursTo.writingPerSecond,
          'first token, ms': showSpread(firstTokenMs),
          'ours :  ': oursTo.firstTokenMs,
        })),
      ),
    )
  }
}

function plots(/** @type {Report} */ { counts }) {
  const names = counts[0].contenders.map(({ name }) => name)
  const seriesOf = (/** @type {'perSecond' | 'firstTokenMs'} */ field) =>
    Object.fromEntries(
      names.map((name, index) => [
        name,
        counts.map(
          ({ sequences, contenders }) =>
            /** @type {[number, number]} */ ([sequences, contenders[index][field].median]),
        ),
      ]),
    )
  const x = { name: 'openers written at the same time' }
  return {
    'language-tokens': linePlot({
      title: 'Tokens a second, prompts of a new profile included',
      x,
      y: { name: 'tokens a second' },
      series: seriesOf('perSecond'),
    }),
    'language-first-token': linePlot({
      title: 'Time to the first token',
      x,
      y: { name: 'ms' },
      series: seriesOf('firstTokenMs'),
    }),
  }
}
