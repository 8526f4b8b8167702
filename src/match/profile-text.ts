import { oneLine } from '../text/one-line.js'
import { PROFILE_PARTS, type ProfilePart } from './profile-parts.js'
import { normalizeEntries, type PersonFacts } from './person.js'

/**
 * A profile in the input format of the match model: `interests: a, b | lifestyle: c | photos: d | the bio`, without empty
 * parts. The bio comes last because the model truncates long input at the end.
 * `models/match-minilm/recipe/profiles.py` writes the same format for training.
 * @param without - a part to leave out
 */
export function profileText(
  { interests, lifestyle, photoTags, bio }: PersonFacts,
  without?: ProfilePart,
): string {
  const texts: Record<ProfilePart, string> = {
    interests: labelEntries('interests', interests),
    lifestyle: labelEntries('lifestyle', lifestyle),
    photos: labelEntries('photos', photoTags),
    bio: oneLine(bio),
  }
  return PROFILE_PARTS.filter((part) => part !== without)
    .map((part) => texts[part])
    .filter((text) => text !== '')
    .join(' | ')
}

function labelEntries(name: string, entries: readonly string[]): string {
  const normalized = normalizeEntries(entries)
  return normalized.length === 0 ? '' : `${name}: ${normalized.join(', ')}`
}
