import { photoReferences } from './tagged-photos.js'

/** @typedef {import('./read-profiles.js').Person} Person */
/** @typedef {import('./read-profiles.js').Pair} Pair */

/** @param {Person} person */
export function preferencesBody(person) {
  return { user: profileOf(person) }
}

/**
 * @param {Person} a
 * @param {Person} b
 * @param {{ withPreferences: boolean }} options - false: the service has to infer them
 */
export function matchBody(a, b, { withPreferences }) {
  const user = (/** @type {Person} */ person) => ({
    ...profileOf(person),
    ...(withPreferences && { preferences: preferencesOf(person) }),
  })
  return { user_a: user(a), user_b: user(b) }
}

/**
 * @param {Pair} pair
 * @param {{ count?: number }} [options]
 */
export function openersBody({ sender, recipient, tone }, { count = 5 } = {}) {
  return {
    sender: { id: 'sender', name: sender.name, preferences: preferencesOf(sender) },
    recipient: profileOf(recipient),
    tone,
    count,
  }
}

function profileOf(/** @type {Person} */ { bio, photos }) {
  return { id: 'user', photos: photoReferences(photos), bio }
}

function preferencesOf(/** @type {Person} */ { interests, lifestyle }) {
  return { interests, lifestyle }
}
