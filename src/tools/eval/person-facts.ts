import type { PersonFacts } from '../../match/person.js'
import type { Person } from './read-profiles.js'

/** A labelled person as the match model reads one. */
export function personFactsOf({ bio, interests, lifestyle, photos }: Person): PersonFacts {
  return { bio, interests, lifestyle, photoTags: photos, photos: [] }
}
