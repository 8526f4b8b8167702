import { logit } from '../../../learning/logistic.js'
import { drawNormal } from '../../../learning/normal-draws.js'
import {
  bandTraits,
  DIMENSION,
  dotSparse,
  parameterIndex,
  styleFeatures,
  traitFeatures,
} from '../../../learning/opener-features.js'
import { TRAITS } from '../../../learning/learning-report.js'
import type { CandidateTraits } from '../../../openers/opener-policy.js'
import { STYLE_NAMES, TONES, type Style, type Tone } from '../../../openers/styles.js'
import { writeCandidates } from './candidates.js'
import { averageOverPeople } from './people.js'

/** How a population answers openers. */
export interface PopulationSettings {
  /** Reply rate of an average opener, before effects. */
  baseRate: number
  /** Factor of all effects; 0 leaves nothing to learn. */
  effectSize: number
}

export const DEFAULT_POPULATION: PopulationSettings = { baseRate: 0.2, effectSize: 1 }

/** Standard deviations of the true effects in logits, drawn for each population. */
const EFFECT_DEVIATION = { tone: 0.2, style: 0.35, pair: 0.25, trait: 0.15 }
/** Openers with a better score are answered more often, in every population: logits for a score higher by 0.1. */
const SCORE_EFFECT = 0.08

export interface Population {
  /** Log-odds of a reply by an average person. */
  logitOf(tone: Tone, candidate: CandidateTraits): number
  /** Probability of a reply, over all people. */
  rateOf(tone: Tone, candidate: CandidateTraits): number
  /** The value that the best candidate of a style has on average, in logits. */
  valueOf(tone: Tone, style: Style): number
  /** What the traits of a candidate add to the log-odds. */
  traitValueOf(candidate: CandidateTraits): number
  parameters: Float64Array
}

export function drawPopulation(settings: PopulationSettings, random: () => number): Population {
  return createPopulation(drawParameters(settings, random), random)
}

function drawParameters({ baseRate, effectSize }: PopulationSettings, random: () => number) {
  const parameters = new Float64Array(DIMENSION)
  const draw = (deviation: number) => effectSize * deviation * drawNormal(random)
  parameters[0] = logit(baseRate)
  for (const tone of TONES) {
    parameters[parameterIndex.tone(tone)] = draw(EFFECT_DEVIATION.tone)
  }
  for (const style of STYLE_NAMES) {
    parameters[parameterIndex.style(style)] = draw(EFFECT_DEVIATION.style)
    for (const tone of TONES) {
      parameters[parameterIndex.pair(tone, style)] = draw(EFFECT_DEVIATION.pair)
    }
  }
  for (const trait of TRAITS) parameters[parameterIndex.trait(trait)] = draw(EFFECT_DEVIATION.trait)
  parameters[parameterIndex.trait('score')] = effectSize * SCORE_EFFECT
  return parameters
}

/** Calls that the value of a style is averaged over. */
const CALLS_FOR_VALUE = 500

export function createPopulation(parameters: Float64Array, random: () => number): Population {
  const traitValueOf = (candidate: CandidateTraits) =>
    dotSparse(traitFeatures(bandTraits(candidate)), parameters)
  const bestTraits = new Map(
    STYLE_NAMES.map((style) => [style, averageBest(style, traitValueOf, random)]),
  )
  const baseOf = (tone: Tone, style: Style) => dotSparse(styleFeatures(tone, style), parameters)
  const bases = tabulate(baseOf)
  const logitOf = (tone: Tone, candidate: CandidateTraits) =>
    bases[tone][candidate.style] + traitValueOf(candidate)
  return {
    parameters,
    traitValueOf,
    logitOf,
    rateOf: (tone, candidate) => averageOverPeople(logitOf(tone, candidate)),
    valueOf: (tone, style) => bases[tone][style] + bestTraits.get(style)!,
  }
}

function averageBest(
  style: Style,
  valueOf: (candidate: CandidateTraits) => number,
  random: () => number,
): number {
  let sum = 0
  for (let i = 0; i < CALLS_FOR_VALUE; i++) {
    sum += Math.max(...writeCandidates(style, random).map(valueOf))
  }
  return sum / CALLS_FOR_VALUE
}

function tabulate(valueOf: (tone: Tone, style: Style) => number) {
  const table = Object.fromEntries(
    TONES.map((tone) => [
      tone,
      Object.fromEntries(STYLE_NAMES.map((style) => [style, valueOf(tone, style)])),
    ]),
  )
  return table as Record<Tone, Record<Style, number>>
}

/** Share of the variance of effects that partners of a host have in common. */
const COMMON_VARIANCE = 0.7

/** The people of another partner, who differ in part. */
export function drawRelated(
  common: Population,
  settings: PopulationSettings,
  random: () => number,
): Population {
  const own = drawParameters(settings, random)
  const [commonPart, ownPart] = [Math.sqrt(COMMON_VARIANCE), Math.sqrt(1 - COMMON_VARIANCE)]
  const parameters = own.map((value, i) => commonPart * common.parameters[i]! + ownPart * value)
  for (const i of [0, parameterIndex.trait('score')]) parameters[i] = own[i]!
  return createPopulation(parameters, random)
}

/** The same population with every effect reversed: the best becomes the worst. */
export function reverseEffects({ parameters }: Population, random: () => number): Population {
  const reversed = parameters.map((value, i) => (i === 0 ? value : -value))
  reversed[parameterIndex.trait('score')] = parameters[parameterIndex.trait('score')]!
  return createPopulation(reversed, random)
}
