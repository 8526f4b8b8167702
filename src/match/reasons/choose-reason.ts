import { seedOf } from '../../text/seed.js'
import { choosePair } from '../compose-reason.js'
import type { ConfidenceBand } from '../confidence-band.js'
import type { PersonFacts } from '../person.js'
import { profileText } from '../profile-text.js'
import type { Signal } from '../signals/signal.js'
import type { ReasonLibrary } from './reason-library.js'

export interface ReasonChoice {
  /** What gives the match its category. */
  signal: Signal
  band: ConfidenceBand
  people: readonly [PersonFacts, PersonFacts]
}

/**
 * The reason written by hand for two people, if there is one. The same two always get the same, in either order; others who
 * share the same may get another.
 */
export function chooseReason(library: ReasonLibrary, choice: ReasonChoice): string | undefined {
  const reasons = findReasons(library, choice)
  if (reasons === undefined) return undefined
  const profiles = choice.people.map((person) => profileText(person)).sort()
  return reasons[seedOf(profiles) % reasons.length]
}

/**
 * By names that both people have themselves: evidence may be a name of one that only means nearly the same, as "quiet"
 * beside "quiet evenings".
 */
function findReasons(library: ReasonLibrary, { signal, band, people: [a, b] }: ReasonChoice) {
  const { category, evidence } = signal
  switch (category) {
    case 'shared_hobbies':
      return library.findShared(category, a.interests, b.interests)
    case 'aesthetic_alignment':
      return library.findShared(category, a.photoTags, b.photoTags)
    case 'similar_goals':
    case 'complementary_traits':
      return library.findShared(category, evidence, evidence)
    case 'lifestyle_fit': {
      const shared = library.findShared(category, a.lifestyle, b.lifestyle)
      const pair = evidence.length === 0 ? choosePair(signal, band) : undefined
      return shared ?? (pair && library.findPair(pair))
    }
  }
}
