import { createMatchBody, newPhoto, readExamplePairs } from '../../bench/example-calls.js'

/** A photo at an address that is never fetched. A test key gets a synthetic answer, which needs no model. */
const UNREACHABLE_PHOTO = 'https://127.0.0.1/photo.jpg'

let next = 0

/** Body of a call that is metered, charged and stored like any other but computes nothing. */
export function createSyntheticBody(): string {
  const user = { photos: [UNREACHABLE_PHOTO], bio: `Walker number ${next++}.` }
  return JSON.stringify({ user_a: { id: 'a', ...user }, user_b: { id: 'b', ...user } })
}

/** Body of a call that both models work for: no cache contains its photos. */
export function createRealBody({ withPreferences = true } = {}): string {
  const pairs = readExamplePairs()
  const pair = pairs[next++ % pairs.length]!
  return JSON.stringify(createMatchBody(pair, { withPreferences, photo: newPhoto }))
}
