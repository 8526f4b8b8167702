import { LENGTH_BAND_COUNT, lengthBand, NO_SCORE, scoreBand } from '../events/evidence-bands.js'
import type { CandidateTraits } from '../openers/opener-policy.js'
import { STYLE_NAMES, TONES, type Style, type Tone } from '../openers/styles.js'
import type { EvidenceRow } from './evidence.js'
import { TRAITS, type TraitName } from './learning-report.js'

/** A vector of features of which most are zero: `values[i]` at `indices[i]`, indices ascending. */
export interface SparseVector {
  indices: readonly number[]
  values: readonly number[]
}

export function dotSparse({ indices, values }: SparseVector, dense: Float64Array): number {
  let sum = 0
  for (let i = 0; i < indices.length; i++) sum += values[i]! * dense[indices[i]!]!
  return sum
}

export function valueAt({ indices, values }: SparseVector, index: number): number {
  return values[indices.indexOf(index)] ?? 0
}

// The parameters, in this order: intercept, tones, styles, styles within tones, traits.
const TONE_FROM = 1
const STYLE_FROM = TONE_FROM + TONES.length
const PAIR_FROM = STYLE_FROM + STYLE_NAMES.length
const TRAIT_FROM = PAIR_FROM + TONES.length * STYLE_NAMES.length

/** Number of parameters of the model. */
export const DIMENSION = TRAIT_FROM + TRAITS.length

/**
 * Standard deviation of each parameter before any evidence, in logits. A reply rate may lie anywhere; 0.3 is the difference
 * between 20 and 25 %, about what published comparisons of first messages find between kinds of messages.
 */
const PRIOR_DEVIATION = { intercept: 1.5, tone: 0.3, style: 0.3, pair: 0.25, trait: 0.2 }

export function priorDeviations(): Float64Array {
  const deviations = new Float64Array(DIMENSION)
  deviations[0] = PRIOR_DEVIATION.intercept
  deviations.fill(PRIOR_DEVIATION.tone, TONE_FROM, STYLE_FROM)
  deviations.fill(PRIOR_DEVIATION.style, STYLE_FROM, PAIR_FROM)
  deviations.fill(PRIOR_DEVIATION.pair, PAIR_FROM, TRAIT_FROM)
  deviations.fill(PRIOR_DEVIATION.trait, TRAIT_FROM)
  return deviations
}

/** Where each parameter stands in a vector of all. */
export const parameterIndex = {
  tone: (tone: Tone) => TONE_FROM + TONES.indexOf(tone),
  style: (style: Style) => STYLE_FROM + STYLE_NAMES.indexOf(style),
  pair: (tone: Tone, style: Style) =>
    PAIR_FROM + TONES.indexOf(tone) * STYLE_NAMES.length + STYLE_NAMES.indexOf(style),
  trait: (trait: TraitName) => TRAIT_FROM + TRAITS.indexOf(trait),
}

/** Features of every opener of a style in a tone, its traits left out. */
export function styleFeatures(tone: Tone, style: Style): SparseVector {
  const { tone: toneIndex, style: styleIndex, pair } = parameterIndex
  return {
    indices: [0, toneIndex(tone), styleIndex(style), pair(tone, style)],
    values: [1, 1, 1, 1],
  }
}

export type BandedTraits = Pick<EvidenceRow, 'isQuestion' | 'detail' | 'lengthBand' | 'scoreBand'>

/** Features of the traits alone. An opener of medium length that asks nothing and names no detail has none. */
export function traitFeatures(traits: BandedTraits): SparseVector {
  const present = listTraits(traits)
  const score = scoreFeature(traits.scoreBand)
  const indices = present.map(parameterIndex.trait)
  const values = present.map(() => 1)
  return score === 0
    ? { indices, values }
    : { indices: [...indices, parameterIndex.trait('score')], values: [...values, score] }
}

function listTraits({ isQuestion, detail, lengthBand: band }: BandedTraits): TraitName[] {
  const traits: TraitName[] = isQuestion ? ['question'] : []
  if (detail !== 'none') traits.push(detail)
  if (band === 0) traits.push('short')
  if (band === LENGTH_BAND_COUNT - 1) traits.push('long')
  return traits
}

/** The band in which the effect of the score is zero; an opener without a score counts as one of it. */
const MIDDLE_SCORE_BAND = 3

function scoreFeature(band: number): number {
  return band === NO_SCORE ? 0 : band - MIDDLE_SCORE_BAND
}

/** The traits of a candidate in the bands of the evidence. */
export function bandTraits({
  isQuestion,
  detail,
  length,
  score,
}: Omit<CandidateTraits, 'style'>): BandedTraits {
  return { isQuestion, detail, lengthBand: lengthBand(length), scoreBand: scoreBand(score) }
}

/** All features of a cell of evidence. */
export function cellFeatures(cell: BandedTraits & { tone: Tone; style: Style }): SparseVector {
  const [base, traits] = [styleFeatures(cell.tone, cell.style), traitFeatures(cell)]
  return {
    indices: [...base.indices, ...traits.indices],
    values: [...base.values, ...traits.values],
  }
}
