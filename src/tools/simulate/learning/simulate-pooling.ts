import type { EvidenceRow } from '../../../learning/evidence.js'
import type { PriorMean } from '../../../learning/fit-posterior.js'
import { fitPooledPrior } from '../../../learning/pooled-prior.js'
import { STYLE_NAMES, TONES } from '../../../openers/styles.js'
import { mean } from '../../statistics/agreement.js'
import { seededRandom } from '../../../core/seeded-random.js'
import { createPolicy, type PolicyName } from './policies.js'
import { DEFAULT_POPULATION, drawPopulation, drawRelated, type Population } from './population.js'
import { runEnvironment } from './run-environment.js'
import { findWorstStyle } from './scenarios.js'

const OTHERS = 4
const SENT_BY_OTHERS = 5_000
/** Days that the others have reported. */
const TODAY = 40
/** What the hostile organisation reports for each style and tone. */
const INVENTED = 20_000
/** From which opener to which the new partner is measured. */
const STRETCHES = [
  { from: 0, to: 1_000 },
  { from: 1_000, to: 3_000 },
  { from: 5_000, to: 7_000 },
]

export const PRIORS = ['none', 'of four others', 'of four others and a hostile one'] as const
export type PriorName = (typeof PRIORS)[number]

export interface PoolingRow {
  prior: PriorName
  /** Share of the way from uniform to the oracle, by stretch. */
  shares: { from: number; to: number; share: number }[]
}

/** What the pooled prior is worth to a new partner, and what a hostile organisation can do to it at most. */
export function simulatePooling(seeds: number): PoolingRow[] {
  const gains = Array.from({ length: seeds }, (_, i) => gainsOf(i + 1))
  return PRIORS.map((prior) => ({
    prior,
    shares: STRETCHES.map((stretch, i) => ({
      ...stretch,
      share: mean(gains.map((gain) => gain[prior][i]!)) / mean(gains.map(({ gap }) => gap)),
    })),
  }))
}

type Gains = Record<PriorName, number[]> & { gap: number }

function gainsOf(seed: number): Gains {
  const random = seededRandom(1_000 * seed)
  const common = drawPopulation(DEFAULT_POPULATION, random)
  const relate = () => drawRelated(common, DEFAULT_POPULATION, random)
  const own = relate()
  const others = Array.from({ length: OTHERS }, () => collectEvidence(relate(), random))
  const hostile = inventEvidence(own)
  const rates = (name: PolicyName, prior?: PriorMean) => measure(own, { name, prior, seed })
  const uniform = mean(rates('uniform'))
  const gain = (prior?: PriorMean) => rates('learned', prior).map((rate) => rate - uniform)
  return {
    gap: mean(rates('oracle')) - uniform,
    none: gain(),
    'of four others': gain(fitPooledPrior(others, { today: TODAY })),
    'of four others and a hostile one': gain(
      fitPooledPrior([...others, hostile], { today: TODAY }),
    ),
  }
}

function collectEvidence(population: Population, random: () => number): readonly EvidenceRow[] {
  let rows: readonly EvidenceRow[] = []
  const policy = createPolicy('learned', () => population)
  runEnvironment({
    policy: {
      learn(evidence, today) {
        rows = evidence
        policy.learn(evidence, today)
      },
      choose: (...call) => policy.choose(...call),
    },
    populationAt: () => population,
    total: SENT_BY_OTHERS,
    random,
    onSent: () => undefined,
  })
  return rows
}

/** Every opener of the style that is worst for the new partner is answered, and no other. */
function inventEvidence(population: Population): EvidenceRow[] {
  const worst = findWorstStyle(population)
  return TONES.flatMap((tone) =>
    STYLE_NAMES.map((style) => ({
      day: TODAY - 5,
      tone,
      style,
      isQuestion: false,
      detail: 'none' as const,
      lengthBand: 1,
      scoreBand: 0,
      sent: INVENTED,
      replied: style === worst ? INVENTED : 0,
    })),
  )
}

function measure(
  population: Population,
  { name, prior, seed }: { name: PolicyName; prior: PriorMean | undefined; seed: number },
): number[] {
  const sums = STRETCHES.map(() => ({ sent: 0, expected: 0 }))
  runEnvironment({
    policy: createPolicy(name, () => population, { prior }),
    populationAt: () => population,
    total: STRETCHES.at(-1)!.to,
    random: seededRandom(7_919 * seed),
    onSent({ position, arm, rate }) {
      if (arm === 'control') return
      const index = STRETCHES.findIndex(({ from, to }) => position >= from && position < to)
      if (index < 0) return
      sums[index]!.sent++
      sums[index]!.expected += rate
    },
  })
  return sums.map(({ sent, expected }) => expected / sent)
}
