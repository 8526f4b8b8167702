import { equalChances, type ChanceOf } from '../../../learning/choice-probabilities.js'
import type { Estimate } from '../../../learning/learning-report.js'
import {
  estimateByPropensity,
  estimateDoublyRobust,
  type LoggedCall,
  type OutcomeModel,
} from '../../../learning/off-policy.js'
import { STYLE_NAMES } from '../../../learning/opener-features.js'
import { listPossibleStyles, type Style, type Tone } from '../../../openers/styles.js'
import { mean } from '../../statistics/agreement.js'
import { seededRandom } from '../../statistics/seeded-random.js'
import { createPolicy, type SimulatedPolicy } from './policies.js'
import { DEFAULT_POPULATION, drawPopulation, type Population } from './population.js'
import { runEnvironment, type SentOpener } from './run-environment.js'

const OPENERS = 10_000
const OPENERS_FOR_TRUTH = 40_000

/** Policies for the order of styles that are evaluated without having been used. */
const TARGETS = {
  uniform: equalChances,
  'fixed order by tone': (tone: Tone, styles: readonly Style[]) => {
    const order = listPossibleStyles(tone, { hasPhotoElements: true, hasCommonGround: true })
    const next = order.find((style) => styles.includes(style))
    return styles.map((style) => Number(style === next))
  },
} satisfies Record<string, ChanceOf>
type Target = keyof typeof TARGETS

export interface OffPolicyRow {
  target: Target
  estimator: string
  runs: number
  truth: number
  /** Mean error of the estimate. */
  bias: number
  /** Root mean square error. */
  error: number
  /** Share of runs whose 95 % interval contains the truth. */
  covered: number
}

/** Compares estimates from the logs of the learned arm with what the other policies do in the same population. */
export function simulateOffPolicy(runs: number): OffPolicyRow[] {
  const results = Array.from({ length: runs }, (_, run) => evaluateRun(run + 1)).flat()
  const targets = Object.keys(TARGETS) as Target[]
  return targets.flatMap((target) =>
    ['self-normalized inverse propensity', 'doubly robust'].map((estimator) => {
      const found = results.filter((row) => row.target === target && row.estimator === estimator)
      const errors = found.map(({ estimate, truth }) => estimate.value - truth)
      return {
        target,
        estimator,
        runs,
        truth: mean(found.map(({ truth }) => truth)),
        bias: mean(errors),
        error: Math.sqrt(mean(errors.map((error) => error ** 2))),
        covered: mean(
          found.map(({ estimate: { low, high }, truth }) => Number(low <= truth && truth <= high)),
        ),
      }
    }),
  )
}

interface RunResult {
  target: Target
  estimator: string
  estimate: Estimate
  truth: number
}

function evaluateRun(seed: number): RunResult[] {
  const population = drawPopulation(DEFAULT_POPULATION, seededRandom(1_000 * seed))
  const sent = collect(
    createPolicy('learned', () => population),
    population,
    OPENERS,
    seed,
  )
  const logged = sent.filter(({ arm }) => arm === 'learned')
  const calls = logged.map(toLoggedCall)
  const model = fitOutcomes(logged)
  return (Object.keys(TARGETS) as Target[]).flatMap((target) => {
    const truth = trueRate(target, population, seed)
    const policy = TARGETS[target]
    return [
      {
        target,
        estimator: 'self-normalized inverse propensity',
        estimate: estimateByPropensity(calls, policy),
        truth,
      },
      {
        target,
        estimator: 'doubly robust',
        estimate: estimateDoublyRobust(calls, policy, model),
        truth,
      },
    ]
  })
}

function trueRate(target: Target, population: Population, seed: number): number {
  const policy = createPolicy(target, () => population)
  return mean(
    collect(policy, population, OPENERS_FOR_TRUTH, seed)
      .filter(({ arm }) => arm === 'learned')
      .map(({ rate }) => rate),
  )
}

/** Only the order of styles is compared, so the candidate with the best score is released under every policy. */
function collect(
  policy: SimulatedPolicy,
  population: Population,
  total: number,
  seed: number,
): SentOpener[] {
  const sent: SentOpener[] = []
  runEnvironment({
    policy: {
      learn: (rows, today) => policy.learn(rows, today),
      choose: (...call) => ({ ...policy.choose(...call), preference: undefined }),
    },
    populationAt: () => population,
    total,
    random: seededRandom(7_919 * seed),
    onSent: (opener) => sent.push(opener),
  })
  return sent
}

function toLoggedCall({ tone, choice, shown, replied, person }: SentOpener): LoggedCall {
  return {
    tone,
    styles: choice.styles,
    probabilities: choice.probabilities!,
    shown,
    sent: 1,
    replied: Number(replied),
    bucket: person.bucket,
  }
}

/** Openers by which the reply rate of a style in a tone is drawn towards the average. */
const SHRINKAGE = 50

/** A plain model: how often each place is sent, and the reply rate of each style in each tone. */
function fitOutcomes(sent: readonly SentOpener[]): OutcomeModel {
  const average = mean(sent.map(({ replied }) => Number(replied)))
  const rates = new Map<string, number>()
  for (const style of STYLE_NAMES) {
    for (const tone of new Set(sent.map((opener) => opener.tone))) {
      const found = sent.filter((opener) => opener.style === style && opener.tone === tone)
      const replied = found.filter((opener) => opener.replied).length
      rates.set(`${tone} ${style}`, (replied + SHRINKAGE * average) / (found.length + SHRINKAGE))
    }
  }
  const places = new Map<number, number[]>()
  for (const { shown, place } of sent) {
    const counts = places.get(shown) ?? Array.from({ length: shown }, () => 0)
    counts[place]!++
    places.set(shown, counts)
  }
  return (tone, shown) => {
    const counts = places.get(shown.length)!
    const total = counts.reduce((sum, count) => sum + count, 0)
    const replied = shown.reduce(
      (sum, style, place) => sum + (counts[place]! / total) * rates.get(`${tone} ${style}`)!,
      0,
    )
    return { sent: 1, replied }
  }
}
