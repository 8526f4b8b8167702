import type { Person } from './person.js'
import type { Signal } from './signals/signal.js'

/**
 * The signal an answer is told by: the one that describes the two people best among those that can name what they rest
 * on. Two people whose traits nobody named are told by what sets their interests apart.
 */
export function strongestWithEvidence(ranked: readonly Signal[], a: Person, b: Person): Signal {
  const named = ranked
    .map((signal) => {
      const isUntold = signal.category === 'complementary_traits' && signal.evidence.length === 0
      return isUntold ? { ...signal, evidence: differentInterests(a, b) } : signal
    })
    .find(({ evidence, related }) => evidence.length > 0 || related !== undefined)
  return named ?? ranked[0]!
}

function differentInterests(a: Person, b: Person): string[] {
  const [first, second] = [a, b]
    .map((person) => person.interests[0]?.text)
    .filter((text) => text !== undefined)
    .sort()
  if (first === undefined || second === undefined || first === second) return []
  return [`one of you is into ${first} and the other into ${second}`]
}
