import { findMention, type Mention, type Term } from './bio-terms.js'
import type { ExemplarConditions } from './exemplar-schema.js'
import { EVERYBODY, interestKey, type ProfileIndex } from './profile-index.js'

const MAX_THIN_WORDS = 8

/** The conditions of a group, prepared for many profiles. */
export interface PreparedConditions {
  photos: readonly (readonly string[])[]
  bio: readonly PreparedWords[]
  /** Keys of interests. */
  likes: readonly string[] | undefined
  shared: readonly string[] | undefined
  isThin: boolean
}

interface PreparedWords {
  any: readonly Term[]
  none: readonly Term[]
  /** For each of `any`, as in the schema. */
  precision: readonly number[] | undefined
}

/** @param termOf - see `createTerms` */
export function prepareConditions(
  when: ExemplarConditions,
  termOf: (text: string) => Term,
): PreparedConditions {
  return {
    photos: when.photos ?? [],
    bio: (when.bio ?? []).map(({ any, none = [], precision }) => ({
      any: any.map(termOf),
      none: none.map(termOf),
      precision,
    })),
    likes: when.likes?.map(interestKey),
    shared: when.shared?.map(interestKey),
    isThin: when.thin === true,
  }
}

/** Keys of which each profile for which the conditions hold has one: those of the rarest condition, since many photos show a dog. */
export function keysOf({ photos, bio, likes, shared }: PreparedConditions): string[] {
  if (bio[0]) return bio[0].any.map(({ stems }) => `bio ${longestOf(stems)}`)
  if (shared) return shared.map((interest) => `shared ${interest}`)
  if (photos[0]) return photos[0].map((tag) => `photo ${tag}`)
  if (likes) return likes.map((interest) => `like ${interest}`)
  return [EVERYBODY]
}

/** Whether they name nothing of a profile: they hold for everybody, or for everybody whose bio is thin. */
export function nameNothing({ photos, bio, likes, shared }: PreparedConditions): boolean {
  return photos.length + bio.length === 0 && !likes && !shared
}

/** Of "at the wheel", the word that few bios have. */
function longestOf(stems: readonly string[]): string {
  return stems.reduce((longest, stem) => (stem.length > longest.length ? stem : longest), '')
}

/** What makes conditions true for a profile. */
export interface Evidence {
  /** Number of words of the bio. */
  bioWords: number
  /** Of the first condition on the bio. */
  mention: Mention | undefined
  /** Of the words mentioned there, the highest; undefined if nobody estimated it. */
  precision: number | undefined
}

/** @returns undefined if one of the conditions is not true for the profile */
export function findEvidence(
  conditions: PreparedConditions,
  profile: ProfileIndex,
): Evidence | undefined {
  const { words: bioWords } = profile.bio
  const isTrue =
    conditions.photos.every((tags) => tags.some((tag) => profile.photos.has(tag))) &&
    isOneOf(conditions.likes, profile.likes) &&
    isOneOf(conditions.shared, profile.shared) &&
    (!conditions.isThin || (bioWords > 0 && bioWords <= MAX_THIN_WORDS))
  if (!isTrue) return undefined
  const mentions: Mention[] = []
  for (const { any, none } of conditions.bio) {
    const mention = findMention(profile.bio, any, none)
    if (!mention) return undefined
    mentions.push(mention)
  }
  const [mention] = mentions
  return { bioWords, mention, precision: mention && precisionOf(conditions.bio[0]!, mention) }
}

function precisionOf({ any, precision }: PreparedWords, { terms }: Mention): number | undefined {
  return precision && Math.max(...terms.map((term) => precision[any.indexOf(term)]!))
}

function isOneOf(wanted: readonly string[] | undefined, present: ReadonlySet<string>): boolean {
  return wanted?.some((interest) => present.has(interest)) ?? true
}
