import type { Pair, Person } from './read-profiles.js'
import { photoReferences } from './tagged-photos.js'

/** Body of a call that infers preferences. */
export function preferencesBody(person: Person) {
  return { user: profileOf(person) }
}

/**
 * Body of a match call.
 * @param options.withPreferences - sends the labelled preferences; otherwise the service infers them
 */
export function matchBody(a: Person, b: Person, { withPreferences }: { withPreferences: boolean }) {
  const userOf = (person: Person) => ({
    ...profileOf(person),
    ...(withPreferences && { preferences: preferencesOf(person) }),
  })
  return { user_a: userOf(a), user_b: userOf(b) }
}

/** Body of a call for openers from the sender to the recipient. */
export function openersBody({ sender, recipient, tone }: Pair, { count }: { count: number }) {
  return {
    sender: { id: 'sender', name: sender.name, preferences: preferencesOf(sender) },
    recipient: profileOf(recipient),
    tone,
    count,
  }
}

function profileOf({ bio, photos }: Person) {
  return { id: 'user', photos: photoReferences(photos), bio }
}

function preferencesOf({ interests, lifestyle }: Person) {
  return { interests, lifestyle }
}
