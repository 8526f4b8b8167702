import type { OpenerReranker } from '../inference/language/opener-guidance.js'

/** How many candidates a search for openers writes, and which scores end it. */
export interface SearchLimits {
  /** Candidates of all styles together in the first round, within `perStyle`; later rounds write as many per style. */
  perRound: number
  /** Candidates of one style in one round. */
  perStyle: { min: number; max: number }
  maxRounds: number
  /** Number of candidates that pass the checks at which the best is released whatever its score. */
  enoughPassed: number
  /** Score at which a candidate is released at once. */
  goodScore: number
  /** Score below which another style is tried first. */
  acceptableScore: number
}

// A small model with beginnings writes candidates cheaply, and its reranker recognizes the good ones. `perRound` is the
// number of texts that the language worker writes at a time by default; with 5 per style, 3 openers take 1.67 times as
// long as 1 (docs/performance.md). Readers' grades of candidates above each score: README of smollm2-135m-openers.
const WITH_RERANKER: SearchLimits = {
  perRound: 12,
  perStyle: { min: 4, max: 8 },
  maxRounds: 3,
  enoughPassed: Infinity,
  goodScore: 0.7,
  acceptableScore: 0.6,
}
// Chosen by hand.
const WITHOUT_RERANKER: SearchLimits = {
  perRound: 6,
  perStyle: { min: 2, max: 2 },
  maxRounds: 3,
  enoughPassed: 2,
  goodScore: Infinity,
  acceptableScore: -Infinity,
}

/** @param reranker - of the language pack; undefined for a pack without one */
export function selectSearchLimits(reranker: OpenerReranker | undefined): SearchLimits {
  return reranker ? WITH_RERANKER : WITHOUT_RERANKER
}

/** Number of candidates of each style in a round that searches in `styles` styles. */
export function candidatesPerStyle({ perRound, perStyle }: SearchLimits, styles: number): number {
  return Math.min(perStyle.max, Math.max(perStyle.min, Math.floor(perRound / styles)))
}

/** A candidate that passed every check. */
export interface PassedCandidate {
  /** Higher is better. */
  score: number
  /** Whether it names a detail that no earlier opener of the answer names. */
  isFresh: boolean
  /** What its traits add to the log-odds of a reply; undefined while nothing learnt is used. */
  preference: number | undefined
}

/**
 * Chooses the candidate to release: the best good one, preferring a fresh detail; without a good one the best, if it has
 * the least score or enough candidates passed. The best has the highest preference, among equals the highest score.
 * Below the acceptable score no preference counts.
 * @param minScore - score that a candidate needs if too few passed and none is good
 */
export function chooseCandidate<T extends PassedCandidate>(
  passed: readonly T[],
  {
    goodScore,
    acceptableScore,
    enoughPassed,
  }: Pick<SearchLimits, 'goodScore' | 'acceptableScore' | 'enoughPassed'>,
  minScore: number,
): T | undefined {
  const byScore = passed.toSorted((left, right) => right.score - left.score)
  const good = byScore.filter(({ score }) => score >= goodScore)
  const bestGood = findPreferred(good.filter(({ isFresh }) => isFresh)) ?? findPreferred(good)
  if (bestGood) return bestGood
  const [best] = byScore
  if (!best || (best.score < minScore && passed.length < enoughPassed)) return undefined
  return findPreferred(byScore.filter(({ score }) => score >= acceptableScore)) ?? best
}

/** The first of those with the highest preference. */
export function findPreferred<T extends Pick<PassedCandidate, 'preference'>>(
  candidates: readonly T[],
): T | undefined {
  const preferenceOf = ({ preference = 0 }: T) => preference
  return candidates.toSorted((left, right) => preferenceOf(right) - preferenceOf(left))[0]
}
