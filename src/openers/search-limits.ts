import type { OpenerCritic } from '../inference/language/opener-guidance.js'

/** How hard the search for openers is. */
export interface SearchLimits {
  /** Candidates of all styles together in a first round, as far as `perStyle` allows; later rounds have as many a style. */
  perRound: number
  /** Fewest and most candidates of a style in a round. */
  perStyle: { least: number; most: number }
  maxRounds: number
  /** Candidates that pass before a round ends the search whatever their score. */
  enough: number
  /** Score that ends the search at once. */
  good: number
  /** Score below which another style is tried first. */
  acceptable: number
}

// Candidates are cheap with a small model that begins as its pack says, and its critic knows a good one. A round is as
// many as the language worker writes at a time by default; with five a style three openers take 1.67 times as long as
// one (docs/performance.md). What readers thought of candidates above each score: README of smollm2-135m-openers.
const GUIDED: SearchLimits = {
  perRound: 12,
  perStyle: { least: 4, most: 8 },
  maxRounds: 3,
  enough: Infinity,
  good: 0.7,
  acceptable: 0.6,
}
// Chosen by hand.
const UNGUIDED: SearchLimits = {
  perRound: 6,
  perStyle: { least: 2, most: 2 },
  maxRounds: 3,
  enough: 2,
  good: Infinity,
  acceptable: -Infinity,
}

/** @param critic - of the language pack, undefined for a pack without one */
export function limitsFor(critic: OpenerCritic | undefined): SearchLimits {
  return critic ? GUIDED : UNGUIDED
}

export function candidatesPerStyle({ perRound, perStyle }: SearchLimits, styles: number): number {
  return Math.min(perStyle.most, Math.max(perStyle.least, Math.floor(perRound / styles)))
}

/** A candidate that passed every check. */
interface Passed {
  /** Higher is better. */
  score: number
  /** Whether it has a detail that no earlier opener of the answer has. */
  isFresh: boolean
}

/**
 * The candidate to release: the best good one, rather with a detail that earlier openers lack; else the best, where it
 * is acceptable or there are enough to choose from.
 */
export function chooseCandidate<T extends Passed>(
  passed: readonly T[],
  { good, acceptable, enough }: Pick<SearchLimits, 'good' | 'acceptable' | 'enough'>,
): T | undefined {
  const byScore = passed.toSorted((left, right) => right.score - left.score)
  const goodOnes = byScore.filter(({ score }) => score >= good)
  const bestGood = goodOnes.find(({ isFresh }) => isFresh) ?? goodOnes[0]
  if (bestGood) return bestGood
  const [best] = byScore
  return best && (best.score >= acceptable || passed.length >= enough) ? best : undefined
}
