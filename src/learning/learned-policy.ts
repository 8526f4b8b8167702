import type { CandidateTraits } from '../openers/opener-policy.js'
import type { Style, Tone } from '../openers/styles.js'
import { equalChances, matchProbabilities, type ChanceOf } from './choice-probabilities.js'
import { estimateStyles } from './estimate-styles.js'
import { averageRate, estimateTraits, projectTraits } from './estimate-traits.js'
import { NEEDED_EVIDENCE, type Posterior } from './fit-posterior.js'
import { TRAITS, type StyleEstimate, type TraitEstimate } from './learning-report.js'
import { drawNormals } from './normal-draws.js'
import {
  bandTraits,
  DIMENSION,
  dotSparse,
  parameterIndex,
  traitFeatures,
} from './opener-features.js'
import { shapeDraw, type Gaussian } from './project-posterior.js'
import { shareExplored } from './share-explored.js'
import { drawStyles, type StyleDraws } from './style-draws.js'

/** The styles of a call in the order drawn. */
export interface DrawnOrder {
  styles: Style[]
  /**
   * With which probability each style was drawn from those that were left: first is the probability of the first choice,
   * last is 1, and the product is the probability of the order.
   */
  probabilities: number[]
}

/** What a posterior means for calls and for the report. */
export interface LearnedPolicy {
  /**
   * Draws an order without replacement: each next style is drawn with the probability that it is the best of those left.
   * Below the needed evidence all are equally likely.
   * @param random - numbers in [0, 1)
   */
  order: (tone: Tone, styles: readonly Style[], random: () => number) => DrawnOrder
  /**
   * What the traits of a candidate add to the log-odds of a reply, under one draw from the posterior (Thompson sampling).
   * Undefined below the needed evidence: the candidate with the best score is released.
   */
  preference: (random: () => number) => ((candidate: CandidateTraits) => number) | undefined
  /** By tone and style; empty below the needed evidence. */
  styleEstimates: () => StyleEstimate[]
  /** Empty below the needed evidence. */
  traitEstimates: () => TraitEstimate[]
  /** Share of calls in [0, 1] whose first style is not the one with the best estimate; 1 below the needed evidence. */
  exploration: () => number
}

/** Expensive parts are computed once, when first needed; after that an order takes microseconds. */
export function createLearnedPolicy(posterior: Posterior): LearnedPolicy {
  if (posterior.effective + posterior.pooled < NEEDED_EVIDENCE) return UNLEARNT
  const drawsOf = cacheByTone((tone) => drawStyles(posterior, tone))
  const traits = projectTraits(posterior)
  const chanceOf = matchProbabilities(drawsOf)
  return {
    order: (tone, styles, random) => drawOrder(chanceOf, { tone, styles }, random),
    preference: (random) => drawPreference(traits, random),
    styleEstimates: () => estimateStyles(posterior, drawsOf, chanceOf),
    traitEstimates: () => estimateTraits(traits, averageRate(posterior)),
    exploration: () => shareExplored(posterior, drawsOf, chanceOf),
  }
}

const UNLEARNT: LearnedPolicy = {
  order: (tone, styles, random) => drawOrder(equalChances, { tone, styles }, random),
  preference: () => undefined,
  styleEstimates: () => [],
  traitEstimates: () => [],
  exploration: () => 1,
}

function cacheByTone(drawsOf: (tone: Tone) => StyleDraws): (tone: Tone) => StyleDraws {
  const known = new Map<Tone, StyleDraws>()
  return (tone) => {
    const draws = known.get(tone) ?? drawsOf(tone)
    known.set(tone, draws)
    return draws
  }
}

function drawOrder(
  chanceOf: ChanceOf,
  { tone, styles }: { tone: Tone; styles: readonly Style[] },
  random: () => number,
): DrawnOrder {
  const left = [...styles]
  const order: DrawnOrder = { styles: [], probabilities: [] }
  while (left.length > 0) {
    const turn = left.length === styles.length ? 'first' : 'later'
    const chances = chanceOf(tone, left, turn)
    const index = drawIndex(chances, random())
    order.styles.push(...left.splice(index, 1))
    order.probabilities.push(chances[index]!)
  }
  return order
}

function drawIndex(chances: readonly number[], point: number): number {
  let sum = 0
  const index = chances.findIndex((chance) => (sum += chance) > point)
  // Rounding may leave the sum a little below 1.
  return index < 0 ? chances.length - 1 : index
}

function drawPreference(traits: Gaussian, random: () => number) {
  const parameters = new Float64Array(DIMENSION)
  parameters.set(
    shapeDraw(traits, drawNormals(TRAITS.length, random)),
    parameterIndex.trait('question'),
  )
  return (candidate: CandidateTraits) => dotSparse(traitFeatures(bandTraits(candidate)), parameters)
}
