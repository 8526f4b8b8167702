import { seedOf } from '../../text/seed.js'
import type { Category } from '../categories.js'
import { choosePair } from '../compose-reason.js'
import type { ConfidenceBand } from '../confidence-band.js'
import type { PersonFacts } from '../person.js'
import { profileText } from '../profile-text.js'
import type { Signal } from '../signals/signal.js'
import type { ReasonLibrary } from './reason-library.js'
import { PLACEHOLDERS, type Pattern } from './reason-schema.js'

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
  return reasons && choose(reasons, choice)
}

/** A sentence for two people with nothing in common, around one thing of each where that can be named. */
export function choosePattern(library: ReasonLibrary, choice: ReasonChoice): string | undefined {
  const found = findPattern(choice)
  const reasons = found && library.findPattern(found.pattern)
  if (!found || !reasons) return undefined
  return PLACEHOLDERS.reduce(
    (text, placeholder, i) => text.replace(placeholder, () => found.named[i] ?? ''),
    choose(reasons, choice),
  )
}

function choose(reasons: readonly string[], { people }: ReasonChoice): string {
  const profiles = people.map((person) => profileText(person)).sort()
  return reasons[seedOf(profiles) % reasons.length]!
}

interface NamedPattern {
  pattern: Pattern
  named: readonly string[]
}

/** Undefined where readers liked the template as much: docs/decisions/0045. */
function findPattern({ signal, band }: ReasonChoice): NamedPattern | undefined {
  const { category, evidence } = signal
  if (evidence.length > 0) return undefined
  const pair = choosePair(signal, band)
  if (pair === undefined) return { pattern: WITHOUT_NAMES[category], named: [] }
  const isApart = band === 'low'
  switch (category) {
    case 'complementary_traits':
      return { pattern: 'different-interests', named: pair }
    case 'shared_hobbies':
      return isApart ? { pattern: 'different-interests', named: pair } : undefined
    case 'lifestyle_fit':
      return isApart ? { pattern: 'different-lifestyle', named: pair } : undefined
    case 'similar_goals':
    case 'aesthetic_alignment':
      return undefined
  }
}

const WITHOUT_NAMES: Record<Category, Pattern> = {
  shared_hobbies: 'nothing-hobbies',
  lifestyle_fit: 'nothing-lifestyle',
  similar_goals: 'nothing-goals',
  complementary_traits: 'nothing-traits',
  aesthetic_alignment: 'nothing-photos',
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
