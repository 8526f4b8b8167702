import { equalChances, type ChanceOf } from '../../../learning/choice-probabilities.js'
import type { Estimate } from '../../../learning/learning-report.js'
import {
  estimateByPropensity,
  estimateDoublyRobust,
  type LoggedCall,
  type OutcomeModel,
} from '../../../learning/off-policy.js'
import { fitPosterior } from '../../../learning/fit-posterior.js'
import { createLearnedPolicy, type LearnedPolicy } from '../../../learning/learned-policy.js'
import { listPossibleStyles } from '../../../openers/styles.js'
import { mean } from '../../statistics/agreement.js'
import { seededRandom } from '../../../core/seeded-random.js'
import { DEFAULT_POPULATION, drawPopulation, type Population } from './population.js'
import { runEnvironment, type SentOpener } from './run-environment.js'

/** Openers that the policy has learnt from before its calls are logged. */
const OPENERS_LEARNT = 3_000
const OPENERS = 10_000
const OPENERS_FOR_TRUTH = 20_000

/** Policies for the first style that are evaluated without having been used. */
const TARGETS = {
  'first style uniform': equalChances,
  'first style fixed by tone': (tone, styles) => {
    const order = listPossibleStyles(tone, { hasPhotoElements: true, hasCommonGround: true })
    const first = order.find((style) => styles.includes(style))
    return styles.map((style) => Number(style === first))
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
  const policy = learnPolicy(population, seed)
  const logged = collect(policy.order, { population, total: OPENERS, seed })
  const calls = logged.map(toLoggedCall)
  const model = fitOutcomes(logged)
  return (Object.keys(TARGETS) as Target[]).flatMap((target) => {
    const chanceOf: ChanceOf = TARGETS[target]
    const order = replaceFirst(policy.order, chanceOf)
    const openers = collect(order, { population, total: OPENERS_FOR_TRUTH, seed: -seed })
    const truth = mean(openers.map(({ rate }) => rate))
    const estimates = {
      'self-normalized inverse propensity': estimateByPropensity(calls, chanceOf),
      'doubly robust': estimateDoublyRobust(calls, chanceOf, model),
    }
    return Object.entries(estimates).map(([estimator, estimate]) => ({
      target,
      estimator,
      estimate,
      truth,
    }))
  })
}

type Order = LearnedPolicy['order']

/** A policy that has learnt something and learns no more, so that there is one truth for all calls. */
function learnPolicy(population: Population, seed: number): LearnedPolicy {
  let policy = createLearnedPolicy(fitPosterior([], { today: 0 }))
  runEnvironment({
    policy: {
      learn(rows, today) {
        policy = createLearnedPolicy(fitPosterior(rows, { today }))
      },
      choose: (...call) => policy.order(...call),
    },
    populationAt: () => population,
    total: OPENERS_LEARNT,
    random: seededRandom(seed),
    onSent: () => undefined,
  })
  return policy
}

/** The first style by another policy, and the others as they would have followed it. */
function replaceFirst(order: Order, chanceOf: ChanceOf): Order {
  return (tone, styles, random) => {
    const chances = chanceOf(tone, styles, 'first')
    let point = random()
    const first = styles.find((_, i) => (point -= chances[i]!) < 0) ?? styles.at(-1)
    for (;;) {
      const drawn = order(tone, styles, random)
      if (drawn.styles[0] === first) return drawn
    }
  }
}

interface Collection {
  population: Population
  total: number
  seed: number
}

/** Only orders are compared, so the candidate with the best score is released under every policy. */
function collect(order: Order, { population, total, seed }: Collection): SentOpener[] {
  const sent: SentOpener[] = []
  runEnvironment({
    policy: { learn: () => undefined, choose: (...call) => order(...call) },
    populationAt: () => population,
    total,
    random: seededRandom(7_919 * seed),
    onSent: (opener) => sent.push(opener),
  })
  return sent.filter(({ arm }) => arm === 'learned')
}

function toLoggedCall({ tone, choice, replied, person }: SentOpener): LoggedCall {
  return {
    tone,
    styles: choice.styles,
    probabilities: choice.probabilities!,
    decided: 1,
    sent: 1,
    replied: Number(replied),
    bucket: person.bucket,
  }
}

/** Openers by which the reply rate after a first style in a tone is drawn towards the average. */
const SHRINKAGE = 50

/** A plain model: the reply rate of calls by tone and first style. */
function fitOutcomes(sent: readonly SentOpener[]): OutcomeModel {
  const average = mean(sent.map(({ replied }) => Number(replied)))
  const sums = new Map<string, { sent: number; replied: number }>()
  for (const { tone, choice, replied } of sent) {
    const key = `${tone} ${choice.styles[0]}`
    const known = sums.get(key) ?? { sent: 0, replied: 0 }
    sums.set(key, { sent: known.sent + 1, replied: known.replied + Number(replied) })
  }
  return (tone, [first]) => {
    const known = sums.get(`${tone} ${first}`) ?? { sent: 0, replied: 0 }
    const replied = (known.replied + SHRINKAGE * average) / (known.sent + SHRINKAGE)
    return { sent: 1, replied }
  }
}
