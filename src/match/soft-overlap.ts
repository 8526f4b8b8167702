import { cosine } from '../text/vectors.js'
import type { Term } from './person.js'
import { ramp } from './ramp.js'
import type { RelatedEntries } from './signals/signal.js'

/** Two terms, one of each list, with how much they mean the same, in [0, 1]. */
export interface TermPair {
  left: string
  right: string
  alikeness: number
}

export type Standardize = (cosine: number) => number

// In deviations above unrelated terms: gardening and flowers lie near 3.5, coffee and tea near 5, films and cinema
// near 7 (clip-lite, docs/evaluation.md).
const STRANGERS = 2
const SAME = 7
/** Films and cinema reach it; coffee and tea do not, since "You both enjoy tea" was wrong: docs/evaluation.md. */
const SHARED = 0.8
/** Chosen by hand. */
export const PAIRS_THAT_COUNT = 3

/** How much two texts mean the same, in [0, 1]: 0 like unrelated texts, 1 for the same. */
export function alikeness(left: Term, right: Term, standardize: Standardize): number {
  if (left.text === right.text) return 1
  const deviations = standardize(cosine(left.embedding, right.embedding))
  return ramp(deviations, STRANGERS, SAME)
}

export interface PairingRules {
  standardize: Standardize
  /** Whether two terms are no pair, however alike. None is where it is left out. */
  areOpposite?: (left: string, right: string) => boolean
}

/**
 * The best partner of each term, most alike first, no term used twice; of pairs that are equally alike, what both list
 * early comes first. Does not depend on which list is left.
 */
export function pairTerms(
  left: readonly Term[],
  right: readonly Term[],
  { standardize, areOpposite = () => false }: PairingRules,
): TermPair[] {
  const all = left.flatMap((a, i) =>
    right.map((b, k) => ({
      pair: { left: a.text, right: b.text, alikeness: alikeness(a, b, standardize) },
      place: i + k,
      name: [a.text, b.text].sort().join('\n'),
    })),
  )
  const used = { left: new Set<string>(), right: new Set<string>() }
  return all
    .filter(({ pair }) => pair.alikeness > 0 && !areOpposite(pair.left, pair.right))
    .sort(
      (a, b) =>
        b.pair.alikeness - a.pair.alikeness || a.place - b.place || (a.name < b.name ? -1 : 1),
    )
    .map(({ pair }) => pair)
    .filter((pair) => {
      if (used.left.has(pair.left) || used.right.has(pair.right)) return false
      used.left.add(pair.left)
      used.right.add(pair.right)
      return true
    })
}

/** Mean alikeness of the three best pairs, in [0, 1]; a missing pair counts as 0. */
export function overlapOf(pairs: readonly TermPair[]): number {
  return (
    pairs.slice(0, PAIRS_THAT_COUNT).reduce((sum, pair) => sum + pair.alikeness, 0) /
    PAIRS_THAT_COUNT
  )
}

/**
 * An entry of each that can be told together: the two that are most alike without being the same, or the first of each where
 * none are. Undefined where a side has none.
 */
export function relatedEntries(
  pairs: readonly TermPair[],
  left: readonly Term[],
  right: readonly Term[],
): RelatedEntries | undefined {
  const nearest = pairs.find((pair) => pair.left !== pair.right)
  const [one, other] = nearest ? [nearest.left, nearest.right] : [left[0]?.text, right[0]?.text]
  return one === undefined || other === undefined || one === other ? undefined : sorted(one, other)
}

/** An entry of each that exclude each other, the first by the alphabet. */
export function opposedEntries(
  left: readonly Term[],
  right: readonly Term[],
  areOpposite: (left: string, right: string) => boolean,
): RelatedEntries | undefined {
  const opposed = left.flatMap((a) =>
    right.filter((b) => areOpposite(a.text, b.text)).map((b) => sorted(a.text, b.text)),
  )
  return opposed.sort((one, other) => (one.join('\n') < other.join('\n') ? -1 : 1))[0]
}

function sorted(one: string, other: string): RelatedEntries {
  return one < other ? [one, other] : [other, one]
}

/** Names for what both have, each once: pairs that mean the same, the shorter wording of each. */
export function sharedNames(pairs: readonly TermPair[]): string[] {
  const names = pairs
    .filter((pair) => pair.alikeness >= SHARED)
    .map(({ left, right }) => {
      if (left.length !== right.length) return left.length < right.length ? left : right
      return left < right ? left : right
    })
  return [...new Set(names)]
}
