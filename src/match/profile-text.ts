import { oneLine } from '../text/one-line.js'
import { PROFILE_PARTS, type ProfilePart } from './profile-parts.js'
import { listCompared, type PersonFacts } from './person.js'

/**
 * A profile as the match model learnt to read it: `interests: a, b | lifestyle: c | photos: d | the bio`, without what is
 * not known. The bio comes last, because what is too long for the model loses its end.
 * `models/match-minilm/recipe/profiles.py` writes the same.
 * @param without - a part to leave out
 */
export function profileText(
  { interests, lifestyle, photoTags, bio }: PersonFacts,
  without?: ProfilePart,
): string {
  const texts: Record<ProfilePart, string> = {
    interests: listOf('interests', interests),
    lifestyle: listOf('lifestyle', lifestyle),
    photos: listOf('photos', photoTags),
    bio: oneLine(bio),
  }
  return PROFILE_PARTS.filter((part) => part !== without)
    .map((part) => texts[part])
    .filter((text) => text !== '')
    .join(' | ')
}

function listOf(name: string, entries: readonly string[]): string {
  const compared = listCompared(entries)
  return compared.length === 0 ? '' : `${name}: ${compared.join(', ')}`
}
