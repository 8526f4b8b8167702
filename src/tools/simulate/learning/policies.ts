import type { EvidenceRow } from '../../../learning/evidence.js'
import { fitPosterior, type FitOptions } from '../../../learning/fit-posterior.js'
import { createLearnedPolicy, type DrawnOrder } from '../../../learning/learned-policy.js'
import type { CandidateTraits } from '../../../openers/opener-policy.js'
import { STYLE_NAMES, TONES, type Style, type Tone } from '../../../openers/styles.js'
import type { Population } from './population.js'

export interface Choice {
  styles: readonly Style[]
  /** Absent where the order is not drawn. */
  probabilities?: readonly number[]
  /** Absent: the candidate with the best score is released. */
  preference?: ((candidate: CandidateTraits) => number) | undefined
}

/** Decides like the service does, one day after the other. */
export interface SimulatedPolicy {
  /** Called before the first call of each day. */
  learn(rows: readonly EvidenceRow[], today: number): void
  /** @param styles - those with material, best for the tone first */
  choose(tone: Tone, styles: readonly Style[], random: () => number): Choice
}

export const POLICY_NAMES = [
  'uniform',
  'fixed order by tone',
  'best fixed style',
  'epsilon-greedy',
  'learned',
  'oracle',
] as const
export type PolicyName = (typeof POLICY_NAMES)[number]

/** @param population - now; only the oracle and the best fixed style look at it */
export function createPolicy(
  name: PolicyName,
  population: () => Population,
  options: Omit<FitOptions, 'today'> = {},
): SimulatedPolicy {
  switch (name) {
    case 'uniform':
      return { learn: ignore, choose: (_tone, styles, random) => drawUniformly(styles, random) }
    case 'fixed order by tone':
      return { learn: ignore, choose: (_tone, styles) => ({ styles }) }
    case 'best fixed style':
      return preferBestStyle(population)
    case 'epsilon-greedy':
      return createEpsilonGreedy()
    case 'learned':
      return createLearner(options)
    case 'oracle':
      return {
        learn: ignore,
        choose: (tone, styles) => ({
          styles: sortByValue(styles, (style) => population().valueOf(tone, style)),
          preference: (candidate) => population().traitValueOf(candidate),
        }),
      }
  }
}

function ignore() {
  // Nothing to learn.
}

function createLearner(options: Omit<FitOptions, 'today'>): SimulatedPolicy {
  const learnFrom = (rows: readonly EvidenceRow[], today: number) =>
    createLearnedPolicy(fitPosterior(rows, { ...options, today }))
  let policy = learnFrom([], 0)
  return {
    learn(rows, today) {
      policy = learnFrom(rows, today)
    },
    choose(tone, styles, random): DrawnOrder & Choice {
      return { ...policy.order(tone, styles, random), preference: policy.preference(random) }
    },
  }
}

/** The one style that is best on average over the tones comes first, the others in their fixed order: known in hindsight. */
function preferBestStyle(population: () => Population): SimulatedPolicy {
  const averageValue = (style: Style) =>
    TONES.reduce((sum, tone) => sum + population().valueOf(tone, style), 0)
  let best = STYLE_NAMES[0]!
  return {
    learn() {
      best = sortByValue(STYLE_NAMES, averageValue)[0]!
    },
    choose: (_tone, styles) => ({
      styles: sortByValue(styles, (style) => Number(style === best)),
    }),
  }
}

const EPSILON = 0.1

/** One call in ten at random, the others by the reply rates of the styles in the tone so far. */
function createEpsilonGreedy(): SimulatedPolicy {
  let rates = new Map<string, number>()
  return {
    learn(rows) {
      rates = replyRates(rows)
    },
    choose: (tone, styles, random) =>
      random() < EPSILON
        ? drawUniformly(styles, random)
        : { styles: sortByValue(styles, (style) => rates.get(`${tone} ${style}`) ?? 1) },
  }
}

function replyRates(rows: readonly EvidenceRow[]): Map<string, number> {
  const sums = new Map<string, { sent: number; replied: number }>()
  for (const { tone, style, sent, replied } of rows) {
    const key = `${tone} ${style}`
    const sum = sums.get(key) ?? { sent: 0, replied: 0 }
    sums.set(key, { sent: sum.sent + sent, replied: sum.replied + replied })
  }
  return new Map([...sums].map(([key, { sent, replied }]) => [key, replied / sent]))
}

function drawUniformly(styles: readonly Style[], random: () => number): Choice {
  const left = [...styles]
  const drawn = styles.map(() => left.splice(Math.floor(random() * left.length), 1)[0]!)
  return { styles: drawn, probabilities: styles.map((_, i) => 1 / (styles.length - i)) }
}

/** Highest value first; equal ones stay in their order. */
function sortByValue(styles: readonly Style[], valueOf: (style: Style) => number): Style[] {
  const values = new Map(styles.map((style) => [style, valueOf(style)]))
  return styles.toSorted((left, right) => values.get(right)! - values.get(left)!)
}
