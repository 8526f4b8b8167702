import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { projectDir } from '../prepare.js'

const PHOTO_FILES = [
  'astronaut.jpg',
  'cat.jpg',
  'coffee.jpg',
  'flower.jpg',
  'rocket.jpg',
  'temple.jpg',
]

/** The bundled photos in base64, filled up to whole groups of three bytes so that more can follow. */
const photos = PHOTO_FILES.map((file) => {
  const bytes = readFileSync(path.join(projectDir, 'examples', 'photos', file))
  return Buffer.concat([bytes, Buffer.alloc((3 - (bytes.length % 3)) % 3)]).toString('base64')
})

/** @returns {any[]} */
export function readPairs() {
  const text = readFileSync(path.join(projectDir, 'examples', 'profiles.jsonl'), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** A bundled photo as a `data:` URL, always the same. */
export function knownPhoto(/** @type {number} */ index) {
  return `data:image/jpeg;base64,${photos[index % photos.length]}`
}

/** The same picture in a file that the service has never seen: decoders ignore what follows its end. */
export function newPhoto(/** @type {number} */ index) {
  return knownPhoto(index) + randomBytes(12).toString('base64')
}

/**
 * @param {any} pair
 * @param {{ withPreferences: boolean, photo?: (index: number) => string }} options
 */
export function matchBody(pair, { withPreferences, photo = knownPhoto }) {
  const user = (/** @type {any} */ person, /** @type {number} */ index) => ({
    id: person.name,
    photos: [photo(index)],
    bio: person.bio,
    ...(withPreferences && {
      preferences: { interests: person.interests, lifestyle: person.lifestyle },
    }),
  })
  return { user_a: user(pair.sender, 0), user_b: user(pair.recipient, 2) }
}

/**
 * @param {any} pair
 * @param {{ photo?: (index: number) => string, count?: number }} [options]
 */
export function openersBody({ sender, recipient, tone }, { photo = knownPhoto, count = 3 } = {}) {
  return {
    sender: {
      id: 'sender',
      name: sender.name,
      preferences: { interests: sender.interests, lifestyle: sender.lifestyle },
    },
    recipient: { id: 'recipient', photos: [photo(1), photo(2)], bio: recipient.bio },
    tone,
    count,
  }
}

/**
 * @param {any} pair
 * @param {{ photo?: (index: number) => string }} [options]
 */
export function preferencesBody({ recipient }, { photo = knownPhoto } = {}) {
  return { user: { id: 'user', photos: [photo(3), photo(4)], bio: recipient.bio } }
}
