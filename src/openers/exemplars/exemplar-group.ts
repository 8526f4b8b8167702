import { familyStems } from '../../text/word-families.js'
import { listWords } from '../../text/words.js'
import type { Style, Tone } from '../styles.js'
import { mentionsTerm, type Term } from './bio-terms.js'
import type { ExemplarConditions, ExemplarGroup } from './exemplar-schema.js'
import { EVERYBODY, interestKey, type ProfileIndex } from './profile-index.js'

/** A hand-written opener. */
export interface Exemplar {
  /** Its place in the library. */
  id: number
  text: string
  /** See `beginningOf`. */
  beginning: string
  style: Style
  tones: readonly Tone[]
  /** Exemplars of one group speak of the same thing. */
  group: number
  /** Stems of all names of the interest that both have, any of which the text may use. */
  sharedStems: ReadonlySet<string>
  /** Expected odds that a reader would send it, from its conditions and its grade. */
  odds: number
  /** B: makes sense, but a strict reader would rather send another. */
  grade?: 'B' | undefined
}

const MAX_THIN_WORDS = 8
/** Readers notice when messages begin alike. */
const BEGINNING_WORDS = 4

/**
 * Odds that a reader sends an exemplar that needs one condition of this kind, from 822 that strict readers graded in context beside
 * hand-written ones. Source: docs/decisions/0044.
 */
const ODDS = { shared: 2.5, bio: 1.9, photos: 1.4, likes: 1, thin: 0.2, always: 0.05 }
/** Factor on the odds of a text that a strict reader would rather not send, from the same grades. */
const GRADE_B_FACTOR = 0.4

const NO_STEMS: ReadonlySet<string> = new Set()

/** Where a group stands in the library. */
interface Placement {
  index: number
  /** Id of its first exemplar. */
  firstId: number
  termOf: (text: string) => Term
}

/** Exemplars of one line of a file, prepared for many profiles. */
export interface PreparedGroup {
  /** A profile for which the conditions hold has one of these. */
  keys: readonly string[]
  photos: readonly (readonly string[])[]
  bio: readonly { any: readonly Term[]; none: readonly Term[] }[]
  likes: readonly string[] | undefined
  shared: readonly string[] | undefined
  isThin: boolean
  /** The conditions as they are written. */
  when: ExemplarConditions
  /** The condition on the bio in plain words. */
  means: string | undefined
  exemplars: readonly Exemplar[]
}

/** @param termOf - see `createTerms` */
export function prepareGroup(
  { when, means, openers }: ExemplarGroup,
  { index: group, firstId, termOf }: Placement,
): PreparedGroup {
  const bio = (when.bio ?? []).map(({ any, none = [] }) => ({
    any: any.map(termOf),
    none: none.map(termOf),
  }))
  const conditions = {
    photos: when.photos ?? [],
    bio,
    likes: when.likes?.map(interestKey),
    shared: when.shared?.map(interestKey),
    isThin: when.thin === true,
  }
  const odds = oddsOf(when)
  const sharedStems = when.shared ? familyStems(when.shared.join(' . ')) : NO_STEMS
  return {
    ...conditions,
    when,
    means,
    keys: keysOf(conditions),
    exemplars: openers.map((opener, i) => ({
      ...opener,
      id: firstId + i,
      beginning: beginningOf(opener.text),
      group,
      sharedStems,
      odds: opener.grade === 'B' ? GRADE_B_FACTOR * odds : odds,
    })),
  }
}

/** The words by which openers begin alike, in lower case. */
export function beginningOf(text: string): string {
  return listWords(text).slice(0, BEGINNING_WORDS).join(' ')
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
function keysOf({
  photos,
  bio,
  likes,
  shared,
}: Pick<PreparedGroup, 'photos' | 'bio' | 'likes' | 'shared'>): string[] {
  if (bio[0]) return bio[0].any.map(({ stems }) => `bio ${longestOf(stems)}`)
  if (shared) return shared.map((interest) => `shared ${interest}`)
  if (photos[0]) return photos[0].map((tag) => `photo ${tag}`)
  if (likes) return likes.map((interest) => `like ${interest}`)
  return [EVERYBODY]
}

/** Of "at the wheel", the word that few bios have. */
function longestOf(stems: readonly string[]): string {
  return stems.reduce((longest, stem) => (stem.length > longest.length ? stem : longest), '')
}

/** Whether all conditions of a group are true for a profile. */
export function holds(group: PreparedGroup, profile: ProfileIndex): boolean {
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
