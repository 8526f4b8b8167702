import { GOALS } from './goals.js'
import type { Person } from './person.js'
import type { TopicCloseness } from './topics.js'
import { TRAIT_PAIRS } from './traits.js'

/** How well a goal fits both people, or the two sides of a trait fit one person each. */
export interface TopicFit {
  kind: 'goal' | 'trait'
  label: string
  /** In deviations above unrelated texts, of the person it fits less well. */
  closeness: number
}

/** The fit of every goal and trait, in the order of their lists. The order of the two people does not matter. */
export function measureTopics(a: Person, b: Person, closeness: TopicCloseness): TopicFit[] {
  const closenessTo = (person: Person) => {
    const terms = [...person.sentences, ...person.lifestyle]
    return (captions: readonly string[]) => closeness(terms, captions)
  }
  const [ofA, ofB] = [closenessTo(a), closenessTo(b)]
  return [
    ...GOALS.map(({ label, captions }): TopicFit => ({
      kind: 'goal',
      label,
      closeness: Math.min(ofA(captions), ofB(captions)),
    })),
    ...TRAIT_PAIRS.map(({ label, left, right }): TopicFit => ({
      kind: 'trait',
      label,
      closeness: Math.max(Math.min(ofA(left), ofB(right)), Math.min(ofA(right), ofB(left))),
    })),
  ]
}

/** The closest topic of a kind. */
export function findClearest(
  kind: TopicFit['kind'],
  fits: readonly TopicFit[],
): TopicFit | undefined {
  return fits
    .filter((fit) => fit.kind === kind)
    .sort((left, right) => right.closeness - left.closeness)[0]
}
