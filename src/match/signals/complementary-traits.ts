import type { Person } from '../person.js'
import { TRAIT_PAIRS } from '../traits.js'
import type { TopicStrengths } from '../topics.js'
import type { Signal } from './signal.js'

/** Both bios have to be outspoken about their side before it is told to them. */
const CLEAR = 0.6

/** Opposite sides of one trait, one on each person's side. */
export function complementaryTraits(a: Person, b: Person, strengths: TopicStrengths): Signal {
  const of = (person: Person, captions: readonly string[]) =>
    strengths([...person.sentences, ...person.lifestyle], captions)
  const fits = TRAIT_PAIRS.map((pair) => {
    const [aLeft, aRight] = [of(a, pair.left), of(a, pair.right)]
    const [bLeft, bRight] = [of(b, pair.left), of(b, pair.right)]
    return { pair, strength: Math.max(Math.min(aLeft, bRight), Math.min(aRight, bLeft)) }
  }).sort((left, right) => right.strength - left.strength)
  const best = fits[0]
  return {
    category: 'complementary_traits',
    strength: best?.strength ?? 0,
    evidence: best && best.strength >= CLEAR ? [best.pair.label] : [],
  }
}
