import { GOALS } from './goals.js'
import type { Person } from './person.js'
import type { TopicCloseness } from './topics.js'
import { TRAIT_PAIRS } from './traits.js'

/** How near two people come to one goal that both have, or to the two sides of one trait. */
export interface TopicFit {
  kind: 'goal' | 'trait'
  label: string
  /** Of the one who says less of it; in deviations above unrelated texts. */
  closeness: number
}

/** Every goal and trait, in the order they are listed; the same both ways round. */
export function measureTopics(a: Person, b: Person, closeness: TopicCloseness): TopicFit[] {
  const speakerOf = (person: Person) => {
    const terms = [...person.sentences, ...person.lifestyle]
    return (captions: readonly string[]) => closeness(terms, captions)
  }
  const [ofA, ofB] = [speakerOf(a), speakerOf(b)]
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

/** The clearest of a kind first. */
export function clearestOf(kind: TopicFit['kind'], fits: readonly TopicFit[]): TopicFit[] {
  return fits
    .filter((fit) => fit.kind === kind)
    .sort((left, right) => right.closeness - left.closeness)
}
