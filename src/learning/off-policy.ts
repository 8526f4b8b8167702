import { STYLE_NAMES, type Style, type Tone } from '../openers/styles.js'
import type { ChanceOf } from './choice-probabilities.js'
import { divideSums, type ClusterCounts } from './cluster-ratio.js'
import type { Estimate } from './learning-report.js'
import { Z_95 } from '../events/wilson-interval.js'

/** A call whose order was drawn, and what came of it. */
export interface LoggedCall {
  tone: Tone
  /** In the order drawn. */
  styles: readonly Style[]
  /** With which probability each was drawn from those that were left. */
  probabilities: readonly number[]
  /**
   * How many of them, from the first, the other policy draws; the rest stays as it was drawn. Later probabilities may be very
   * small: then one call outweighs all others, and only the first choices can be compared.
   */
  decided: number
  sent: number
  replied: number
  bucket: number
}

/** What is expected of a call in which these styles are drawn first, in this order. */
export type OutcomeModel = (tone: Tone, drawn: readonly Style[]) => Outcome

export interface Outcome {
  sent: number
  replied: number
}

/**
 * The reply rate that another policy for the order of styles would have had, from calls whose order was drawn with known
 * probabilities: self-normalized inverse propensity scores, with the 95 % interval at one time. The logged probabilities must
 * be positive wherever those of the policy are.
 * Source: Swaminathan and Joachims, "The self-normalized estimator for counterfactual learning", NeurIPS 2015
 */
export function estimateByPropensity(calls: readonly LoggedCall[], policy: ChanceOf): Estimate {
  return estimateRatio(calls, (call) => {
    const weight = weigh(call, policy)
    return { sent: weight * call.sent, replied: weight * call.replied }
  })
}

/**
 * The same, doubly robust: right if the logged probabilities or the model of outcomes are, and more precise than propensities
 * alone if the model is about right.
 * Source: Dudík, Langford and Li, "Doubly robust policy evaluation and learning", ICML 2011
 */
export function estimateDoublyRobust(
  calls: readonly LoggedCall[],
  policy: ChanceOf,
  model: OutcomeModel,
): Estimate {
  const expectedOf = cacheExpectations(policy, model)
  return estimateRatio(calls, (call) => {
    const weight = weigh(call, policy)
    const expected = expectedOf(call)
    const logged = model(call.tone, call.styles.slice(0, call.decided))
    return {
      sent: expected.sent + weight * (call.sent - logged.sent),
      replied: expected.replied + weight * (call.replied - logged.replied),
    }
  })
}

function estimateRatio(
  calls: readonly LoggedCall[],
  outcomeOf: (call: LoggedCall) => Outcome,
): Estimate {
  const buckets = new Map<number, ClusterCounts>()
  for (const call of calls) {
    const known = buckets.get(call.bucket) ?? { sent: 0, replied: 0 }
    const { sent, replied } = outcomeOf(call)
    buckets.set(call.bucket, { sent: known.sent + sent, replied: known.replied + replied })
  }
  const { rate, variance } = divideSums([...buckets.values()])
  const spread = Z_95 * Math.sqrt(variance)
  return { value: rate, low: rate - spread, high: rate + spread }
}

/** How much more likely the policy draws the same. */
function weigh({ tone, styles, probabilities, decided }: LoggedCall, policy: ChanceOf): number {
  let weight = 1
  for (let i = 0; i < decided; i++) {
    const left = sortStyles(styles.slice(i))
    const chances = policy(tone, left, i === 0 ? 'first' : 'later')
    weight *= chances[left.indexOf(styles[i]!)]! / probabilities[i]!
  }
  return weight
}

/** Expectations depend only on the tone, the styles there are, and how many are drawn. */
function cacheExpectations(policy: ChanceOf, model: OutcomeModel) {
  const known = new Map<string, Outcome>()
  return ({ tone, styles, decided }: LoggedCall): Outcome => {
    const sorted = sortStyles(styles)
    const key = `${tone} ${sorted.join()} ${decided}`
    const expected = known.get(key) ?? expectOutcome(policy, model, { tone, left: sorted, decided })
    known.set(key, expected)
    return expected
  }
}

interface Situation {
  tone: Tone
  left: readonly Style[]
  decided: number
}

/** Sums over every order that the policy may draw. */
function expectOutcome(
  policy: ChanceOf,
  model: OutcomeModel,
  { tone, left, decided }: Situation,
  drawn: readonly Style[] = [],
): Outcome {
  if (drawn.length === decided) return model(tone, drawn)
  const chances = policy(tone, left, drawn.length === 0 ? 'first' : 'later')
  return left.reduce(
    (sum, style, i) => {
      if (chances[i] === 0) return sum
      const rest = { tone, left: left.filter((other) => other !== style), decided }
      const outcome = expectOutcome(policy, model, rest, [...drawn, style])
      return {
        sent: sum.sent + chances[i]! * outcome.sent,
        replied: sum.replied + chances[i]! * outcome.replied,
      }
    },
    { sent: 0, replied: 0 },
  )
}

function sortStyles(styles: readonly Style[]): Style[] {
  return STYLE_NAMES.filter((style) => styles.includes(style))
}
