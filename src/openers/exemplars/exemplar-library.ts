import { familyStems } from '../../text/word-families.js'
import { contentStems } from '../../text/words.js'
import type { OpenerFacts } from '../opener-facts.js'
import type { Style, Tone } from '../styles.js'
import {
  indexBio,
  mentionsTerm,
  prepareTerm,
  quotesPhrase,
  type BioIndex,
  type Term,
} from './bio-terms.js'
import type { ExemplarConditions, ExemplarGroup } from './exemplar-schema.js'

/** A hand-written opener. */
export interface Exemplar {
  /** Its place in the library. */
  id: number
  text: string
  style: Style
  tones: readonly Tone[]
  /** Exemplars of one group speak of the same thing. */
  group: number
  /** Stems of all names of the interest that both have, any of which the text may use. */
  sharedStems: ReadonlySet<string>
  /** Expected odds that a reader would send it, from its conditions and its grade. */
  odds: number
}

const MAX_THIN_WORDS = 8

/** Key of conditions that name nothing of a profile. */
const EVERYBODY = 'everybody'

/**
 * Odds that a reader sends an exemplar that needs one condition of this kind, from 822 that strict readers graded in context beside
 * hand-written ones. Source: docs/decisions/0044.
 */
const ODDS = { shared: 2.5, bio: 1.9, photos: 1.4, likes: 1, thin: 0.2, always: 0.05 }
/** Factor on the odds of a text that a strict reader would rather not send, from the same grades. */
const GRADE_B_FACTOR = 0.4

/** Hand-written openers, found by what a profile must have for them to be true. */
export class ExemplarLibrary {
  readonly size: number
  readonly #groups: readonly PreparedGroup[]
  /** Groups by a key that each of their profiles has one of, so that a search reads few of them. */
  readonly #byKey = new Map<string, Set<PreparedGroup>>()

  constructor(groups: readonly ExemplarGroup[]) {
    let size = 0
    this.#groups = groups.map((group, index) => {
      const prepared = prepareGroup(group, { index, firstId: size })
      size += group.openers.length
      return prepared
    })
    this.size = size
    for (const group of this.#groups) {
      for (const key of group.keys) {
        const known = this.#byKey.get(key) ?? new Set()
        this.#byKey.set(key, known.add(group))
      }
    }
  }

  /** The exemplars that are true for a profile, by their place in the library. */
  findTrue(facts: OpenerFacts): Exemplar[] {
    const profile = describeProfile(facts)
    const near = new Set(profile.keys.flatMap((key) => [...(this.#byKey.get(key) ?? [])]))
    return [...near]
      .filter((group) => holds(group, profile))
      .flatMap(({ exemplars }) => exemplars)
      .sort((left, right) => left.id - right.id)
  }
}

interface PreparedGroup {
  /** A profile for which the conditions hold has one of these. */
  keys: readonly string[]
  photos: readonly (readonly string[])[]
  bio: readonly { any: readonly Term[]; none: readonly Term[] }[]
  likes: readonly string[] | undefined
  shared: readonly string[] | undefined
  isThin: boolean
  exemplars: readonly Exemplar[]
}

function prepareGroup(
  { when, openers }: ExemplarGroup,
  { index: group, firstId }: { index: number; firstId: number },
): PreparedGroup {
  const bio = (when.bio ?? []).map(({ any, none = [] }) => ({
    any: any.map(prepareTerm),
    none: none.map(prepareTerm),
  }))
  const conditions = {
    photos: when.photos ?? [],
    bio,
    likes: when.likes?.map(interestKey),
    shared: when.shared?.map(interestKey),
    isThin: when.thin === true,
  }
  const odds = oddsOf(when)
  const sharedStems = familyStems((when.shared ?? []).join(' . '))
  return {
    ...conditions,
    keys: keysOf(conditions),
    exemplars: openers.map((opener, i) => ({
      ...opener,
      id: firstId + i,
      group,
      sharedStems,
      odds: opener.grade === 'B' ? GRADE_B_FACTOR * odds : odds,
    })),
  }
}

/** More conditions say more about this person. */
function oddsOf(when: ExemplarConditions): number {
  return (
    ODDS.photos * (when.photos?.length ?? 0) +
    ODDS.bio * (when.bio?.length ?? 0) +
    (when.likes ? ODDS.likes : 0) +
    (when.shared ? ODDS.shared : 0) +
    (when.thin ? ODDS.thin : 0) +
    (when.always ? ODDS.always : 0)
  )
}

/** Those of its rarest condition: few bios have a word, while many photos show a dog. */
function keysOf({ photos, bio, likes, shared }: Omit<PreparedGroup, 'keys' | 'exemplars'>) {
  if (bio[0]) return bio[0].any.map((term) => `bio ${term.stems[0]}`)
  if (shared) return shared.map((interest) => `shared ${interest}`)
  if (photos[0]) return photos[0].map((tag) => `photo ${tag}`)
  if (likes) return likes.map((interest) => `like ${interest}`)
  return [EVERYBODY]
}

interface ProfileIndex {
  keys: readonly string[]
  photos: ReadonlySet<string>
  bio: BioIndex
  likes: ReadonlySet<string>
  shared: ReadonlySet<string>
}

function describeProfile({
  bio,
  photoElements,
  likes,
  sharedInterests,
}: OpenerFacts): ProfileIndex {
  const profile = {
    photos: new Set(photoElements),
    bio: indexBio(bio),
    likes: new Set(findEvident(likes, bio).map(interestKey)),
    shared: new Set(findEvident(sharedInterests, bio).map(interestKey)),
  }
  const keys = [
    ...photoElements.map((tag) => `photo ${tag}`),
    ...[...profile.bio.stems].map((stem) => `bio ${stem}`),
    ...[...profile.likes].map((interest) => `like ${interest}`),
    ...[...profile.shared].map((interest) => `shared ${interest}`),
    EVERYBODY,
  ]
  return { ...profile, keys }
}

/**
 * Interests that the photos show or the bio names as such. Somebody who climbs down from a crane likes no climbing, and a
 * bus driver's night is no running.
 */
function findEvident(interests: readonly string[], bio: string): string[] {
  const stemsOfBio = contentStems(bio)
  const isInBio = (interest: string) =>
    [...contentStems(interest)].some((stem) => stemsOfBio.has(stem))
  return interests.filter(
    (interest) =>
      !isInBio(interest) || (quotesPhrase(bio, interest) && !AMBIGUOUS.has(interest.toLowerCase())),
  )
}

/** Interests whose names often mean something else in a bio. */
const AMBIGUOUS: ReadonlySet<string> = new Set([
  'drawing',
  'environment',
  'family',
  'history',
  'learning',
  'running',
  'surfing',
  'walking',
  'winter',
])

function holds(group: PreparedGroup, profile: ProfileIndex): boolean {
  return (
    group.photos.every((tags) => tags.some((tag) => profile.photos.has(tag))) &&
    group.bio.every(({ any, none }) => mentionsTerm(profile.bio, any, none)) &&
    isOneOf(group.likes, profile.likes) &&
    isOneOf(group.shared, profile.shared) &&
    (!group.isThin || (profile.bio.words > 0 && profile.bio.words <= MAX_THIN_WORDS))
  )
}

function isOneOf(wanted: readonly string[] | undefined, present: ReadonlySet<string>): boolean {
  return wanted?.some((interest) => present.has(interest)) ?? true
}

/** Equal for "rock climbing" and "Rock-climbing". */
function interestKey(interest: string): string {
  return [...contentStems(interest)].sort().join(' ')
}
