/**
 * What a match knows of a person with labelled preferences.
 * @param {import('./read-profiles.js').Person} person
 */
export function factsOf({ bio, interests, lifestyle, photos }) {
  return { bio, interests, lifestyle, photoTags: photos, photos: [] }
}
