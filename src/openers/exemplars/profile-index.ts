import { contentStems } from '../../text/words.js'
import type { OpenerFacts } from '../opener-facts.js'
import { indexBio, quotesPhrase, type BioIndex } from './bio-terms.js'

/** Key of conditions that name nothing of a profile. */
export const EVERYBODY = 'everybody'

/** A profile prepared for many conditions. */
export interface ProfileIndex {
  keys: readonly string[]
  photos: ReadonlySet<string>
  bio: BioIndex
  likes: ReadonlySet<string>
  shared: ReadonlySet<string>
}

export function indexProfile({
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

/** Equal for "rock climbing" and "Rock-climbing". */
export function interestKey(interest: string): string {
  return [...contentStems(interest)].sort().join(' ')
}
