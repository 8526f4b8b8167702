import type { Person } from './person.js'
import type { Signal } from './signals/signal.js'

/**
 * The signal an answer is told by: the strongest one that can name what it rests on. Two people who share nothing
 * are told by what sets them apart.
 */
export function strongestWithEvidence(ranked: readonly Signal[], a: Person, b: Person): Signal {
  const named = ranked.find((signal) => signal.evidence.length > 0)
  if (named) return named
  const different = differentInterests(a, b)
  return different ?? ranked[0]!
}

function differentInterests(a: Person, b: Person): Signal | undefined {
  const [first, second] = [a, b]
    .map((person) => person.interests[0]?.text)
    .filter((text) => text !== undefined)
    .sort()
  if (first === undefined || second === undefined || first === second) return undefined
  return {
    category: 'complementary_traits',
    strength: 0,
    evidence: [`one of you is into ${first} and the other into ${second}`],
  }
}
