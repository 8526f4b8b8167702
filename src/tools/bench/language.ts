import path from 'node:path'
import type { ChatTurn } from '../../inference/language/language.js'
import { loadPrompts, type Prompts } from '../../inference/language/prompts.js'
import { TONES } from '../../openers/styles.js'
import { openPack } from '../../packs/open-pack.js'
import { roundTo } from '../../text/round-to.js'
import { describeMachine } from '../describe-machine.js'
import { PROJECT_FOLDER } from '../project-folder.js'
import { median } from '../statistics/quantile.js'
import type { BenchOptions } from './bench-options.js'
import { readExamplePairs } from './example-calls.js'
import {
  openLanguageWorker,
  openLlamaServer,
  type LanguageContender,
} from './language/language-contenders.js'
import { findPeer } from './peers/peer-process.js'
import { drawLinePlot, type Point } from './report/line-plot.js'
import { formatTable, publish, type Print, type Report } from './report/publish.js'
import { formatSpread, summarizeSpread, type Spread } from './report/summaries.js'

const SEQUENCES = [1, 2, 4, 8, 16]
const DEFAULT_ROUNDS = 5
const LLM_PACK = 'smollm2-135m-openers'
/** Openers have 20 to 30 tokens. */
const MAX_TOKENS = 24
const STYLES = ['playful_observation', 'open_question', 'shared_interest', 'confident_direct']

interface Sample {
  firstTokenMs: number
  perSecond: number
  writingPerSecond: number
}

interface ContenderReport extends Record<keyof Sample, Spread> {
  name: string
  /** Median over the rounds of the language worker's value divided by this contender's. */
  oursTo: Record<keyof Sample, number>
}

interface LanguageReport extends Report {
  counts: { sequences: number; contenders: ContenderReport[] }[]
}

/**
 * Measures concurrent openers in several styles for a profile that is in no cache, and the time to the first token of
 * each; then the same prompts again, which leaves decoding alone. The language worker and llama-server alternate.
 */
export async function runBenchmark(options: BenchOptions): Promise<void> {
  const modelsDir = path.join(PROJECT_FOLDER, 'models')
  const pack = await openPack({ modelsDir }, LLM_PACK, 'llm')
  const prompts = await loadPrompts(pack.llm.prompts, { system: pack.llm.system })
  const nextPrompts = createPromptSource(prompts)
  const bin = findPeer('BENCH_LLAMA_CPP', 'llama-server')
  const counts: LanguageReport['counts'] = []
  for (const sequences of SEQUENCES) {
    const contenders = [await openLanguageWorker(pack, sequences)]
    try {
      if (bin) contenders.push(...(await openLlamaServer(bin, pack, sequences)))
      const samples = await measureRounds(contenders, {
        nextPrompts: () => nextPrompts(sequences),
        rounds: options.rounds ?? DEFAULT_ROUNDS,
      })
      counts.push({ sequences, contenders: summarizeContenders(contenders, samples) })
      console.error(`▸ ${sequences} sequences`)
    } finally {
      for (const { close } of contenders) await close()
    }
  }
  const report: LanguageReport = { benchmark: 'language', machine: describeMachine(), counts }
  publish(report, options, { print: printReport, plots: plotContenders })
}

/** Prompts of openers that are generated at the same time. */
type PromptBatch = ChatTurn[][]

/** Each call of the returned function takes the next profile. */
function createPromptSource(prompts: Prompts): (count: number) => PromptBatch {
  const pairs = readExamplePairs()
  let next = 0
  return (count) => {
    const { sender, recipient } = pairs[next++ % pairs.length]!
    return Array.from({ length: count }, (_, index) => {
      const { turns } = prompts.opener({
        recipient: { bio: recipient.bio, photos: [], likes: recipient.interests },
        sender: { name: sender.name, likes: sender.interests },
        tone: TONES[Math.floor(index / STYLES.length) % TONES.length]!,
        style: STYLES[index % STYLES.length]!,
      })
      return turns
    })
  }
}

/** By name of the contender, one for each round. */
type SamplesByContender = ReadonlyMap<string, Sample[]>

async function measureRounds(
  contenders: readonly LanguageContender[],
  { nextPrompts, rounds }: { nextPrompts: () => PromptBatch; rounds: number },
): Promise<SamplesByContender> {
  const samples = new Map(contenders.map(({ name }): [string, Sample[]] => [name, []]))
  for (let round = -1; round < rounds; round++) {
    const forFirstToken = nextPrompts()
    const forText = nextPrompts()
    for (const contender of contenders) {
      const sample = {
        firstTokenMs: await timeFirstTokens(contender, forFirstToken),
        perSecond: await measureTokensPerSecond(contender, forText),
        // The prompts are cached now, so this is decoding alone.
        writingPerSecond: await measureTokensPerSecond(contender, forText),
      }
      if (round >= 0) samples.get(contender.name)!.push(sample)
    }
  }
  return samples
}

/** Median milliseconds to the first token of concurrent prompts. */
async function timeFirstTokens(
  contender: LanguageContender,
  prompts: PromptBatch,
): Promise<number> {
  const startedAt = performance.now()
  const times = await Promise.all(
    prompts.map(async (turns) => {
      await contender.generate(turns, 1)
      return performance.now() - startedAt
    }),
  )
  return median(times)
}

async function measureTokensPerSecond(
  contender: LanguageContender,
  prompts: PromptBatch,
): Promise<number> {
  const startedAt = performance.now()
  const tokens = await Promise.all(prompts.map((turns) => contender.generate(turns, MAX_TOKENS)))
  const seconds = (performance.now() - startedAt) / 1_000
  return tokens.reduce((sum, count) => sum + count, 0) / seconds
}

function summarizeContenders(
  contenders: readonly LanguageContender[],
  samples: SamplesByContender,
): ContenderReport[] {
  const samplesOf = ({ name }: LanguageContender) => samples.get(name) ?? []
  const ours = samplesOf(contenders[0]!)
  return contenders.map((contender) => {
    const theirs = samplesOf(contender)
    const valuesOf = (field: keyof Sample) => theirs.map((sample) => sample[field])
    const medianRatio = (field: keyof Sample) =>
      roundTo(median(theirs.map((sample, round) => ours[round]![field] / sample[field])), 2)
    return {
      name: contender.name,
      perSecond: summarizeSpread(valuesOf('perSecond')),
      writingPerSecond: summarizeSpread(valuesOf('writingPerSecond')),
      firstTokenMs: summarizeSpread(valuesOf('firstTokenMs'), 0),
      oursTo: {
        perSecond: medianRatio('perSecond'),
        writingPerSecond: medianRatio('writingPerSecond'),
        firstTokenMs: medianRatio('firstTokenMs'),
      },
    }
  })
}

function printReport({ counts }: LanguageReport, print: Print): void {
  for (const { sequences, contenders } of counts) {
    print(`\n${sequences} at a time\n`)
    print(
      formatTable(
        contenders.map(({ name, perSecond, writingPerSecond, firstTokenMs, oursTo }) => ({
          contender: name,
          'new profile, tokens /s': formatSpread(perSecond),
          'ours :': oursTo.perSecond,
          'known prompt, tokens /s': formatSpread(writingPerSecond),
          'ours : ': oursTo.writingPerSecond,
          'first token, ms': formatSpread(firstTokenMs),
          'ours :  ': oursTo.firstTokenMs,
        })),
      ),
    )
  }
}

function plotContenders({ counts }: LanguageReport): Record<string, string> {
  const names = counts[0]!.contenders.map(({ name }) => name)
  const linesOf = (field: 'perSecond' | 'firstTokenMs') =>
    Object.fromEntries(
      names.map((name, index) => [
        name,
        counts.map(({ sequences, contenders }): Point => [
          sequences,
          contenders[index]![field].median,
        ]),
      ]),
    )
  const x = { name: 'openers written at the same time' }
  return {
    'language-tokens': drawLinePlot({
      title: 'Tokens a second, prompts of a new profile included',
      x,
      y: { name: 'tokens a second' },
      series: linesOf('perSecond'),
    }),
    'language-first-token': drawLinePlot({
      title: 'Time to the first token',
      x,
      y: { name: 'ms' },
      series: linesOf('firstTokenMs'),
    }),
  }
}
