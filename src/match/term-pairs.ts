import { cosine } from '../text/vectors.js'
import type { Term } from './person.js'
import { ramp } from './ramp.js'
import type { EntryPair } from './signals/signal.js'

/** A term of each person with their similarity in meaning, in [0, 1]. */
export interface TermPair {
  left: string
  right: string
  similarity: number
}

export type Standardize = (cosine: number) => number

// In deviations above unrelated terms: gardening and flowers lie near 3.5, coffee and tea near 5, films and cinema
// near 7 (clip-lite, docs/evaluation.md).
const UNRELATED = 2
const SAME = 7
/** Films and cinema reach it; coffee and tea do not, because "You both enjoy tea" was wrong: docs/evaluation.md. */
const MIN_SHARED_SIMILARITY = 0.8
/** Chosen by hand. */
export const COUNTED_PAIRS = 3

/** Similarity in meaning, in [0, 1]: 0 for unrelated texts, 1 for the same text. */
function compareTerms(left: Term, right: Term, standardize: Standardize): number {
  if (left.text === right.text) return 1
  const deviations = standardize(cosine(left.embedding, right.embedding))
  return ramp(deviations, UNRELATED, SAME)
}

export interface PairingRules {
  standardize: Standardize
  /** Whether two terms must not pair, however similar they are; by default none. */
  areOpposite?: (left: string, right: string) => boolean
}

/**
 * Pairs each term with at most one of the other list, most similar pairs first. Pairs of equal similarity are in the
 * order in which both lists have them. Swapping the lists gives the same pairs.
 */
export function pairTerms(
  left: readonly Term[],
  right: readonly Term[],
  { standardize, areOpposite = () => false }: PairingRules,
): TermPair[] {
  const all = left.flatMap((a, i) =>
    right.map((b, k) => ({
      pair: { left: a.text, right: b.text, similarity: compareTerms(a, b, standardize) },
      place: i + k,
      name: [a.text, b.text].sort().join('\n'),
    })),
  )
  const used = { left: new Set<string>(), right: new Set<string>() }
  return all
    .filter(({ pair }) => pair.similarity > 0 && !areOpposite(pair.left, pair.right))
    .sort(
      (a, b) =>
        b.pair.similarity - a.pair.similarity || a.place - b.place || (a.name < b.name ? -1 : 1),
    )
    .map(({ pair }) => pair)
    .filter((pair) => {
      if (used.left.has(pair.left) || used.right.has(pair.right)) return false
      used.left.add(pair.left)
      used.right.add(pair.right)
      return true
    })
}

/** Mean similarity of the three best pairs, in [0, 1]; a missing pair counts as 0. */
export function measureOverlap(pairs: readonly TermPair[]): number {
  return (
    pairs.slice(0, COUNTED_PAIRS).reduce((sum, pair) => sum + pair.similarity, 0) / COUNTED_PAIRS
  )
}

/**
 * An entry of each person to name together: the most similar two that differ, or else the first entry of each. Undefined
 * when either list is empty or both first entries are the same.
 */
export function findRelatedPair(
  pairs: readonly TermPair[],
  left: readonly Term[],
  right: readonly Term[],
): EntryPair | undefined {
  const nearest = pairs.find((pair) => pair.left !== pair.right)
  const [one, other] = nearest ? [nearest.left, nearest.right] : [left[0]?.text, right[0]?.text]
  return one === undefined || other === undefined || one === other ? undefined : sorted(one, other)
}

/** An entry of each person that contradict each other; of several pairs the alphabetically first. */
export function findOpposedPair(
  left: readonly Term[],
  right: readonly Term[],
  areOpposite: (left: string, right: string) => boolean,
): EntryPair | undefined {
  const opposed = left.flatMap((a) =>
    right.filter((b) => areOpposite(a.text, b.text)).map((b) => sorted(a.text, b.text)),
  )
  return opposed.sort((one, other) => (one.join('\n') < other.join('\n') ? -1 : 1))[0]
}

function sorted(one: string, other: string): EntryPair {
  return one < other ? [one, other] : [other, one]
}

/** Names of the terms that both people have, each once: the shorter wording of each pair with the same meaning. */
export function listSharedNames(pairs: readonly TermPair[]): string[] {
  const names = pairs
    .filter((pair) => pair.similarity >= MIN_SHARED_SIMILARITY)
    .map(({ left, right }) => {
      if (left.length !== right.length) return left.length < right.length ? left : right
      return left < right ? left : right
    })
  return [...new Set(names)]
}
