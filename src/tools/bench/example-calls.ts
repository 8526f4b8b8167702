import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Tone } from '../../openers/styles.js'
import { PROJECT_FOLDER } from '../project-folder.js'
import { readJsonLines } from '../read-json-lines.js'

const EXAMPLES_FOLDER = path.join(PROJECT_FOLDER, 'examples')

const PHOTO_FILES = [
  'astronaut.jpg',
  'cat.jpg',
  'coffee.jpg',
  'flower.jpg',
  'rocket.jpg',
  'temple.jpg',
]

export interface ExampleProfile {
  name: string
  bio: string
  interests: string[]
  lifestyle: string[]
}

/** A line of examples/profiles.jsonl, as far as benchmarks use it. */
export interface ExamplePair {
  tone: Tone
  sender: ExampleProfile
  recipient: ExampleProfile
}

/** Reads the invented pairs of profiles. */
export function readExamplePairs(): ExamplePair[] {
  return readJsonLines(path.join(EXAMPLES_FOLDER, 'profiles.jsonl'))
}

/** Bundled photos in base64, padded to whole groups of three bytes so that more base64 can be appended. */
const photos = PHOTO_FILES.map((file) => {
  const bytes = readFileSync(path.join(EXAMPLES_FOLDER, 'photos', file))
  return Buffer.concat([bytes, Buffer.alloc((3 - (bytes.length % 3)) % 3)]).toString('base64')
})

/** A `data:` URL by index. */
export type PhotoSource = (index: number) => string

/** The same bundled photo for an index every time. */
export function knownPhoto(index: number): string {
  return `data:image/jpeg;base64,${photos[index % photos.length]!}`
}

/** The same picture as a file that no cache contains: decoders ignore bytes after its end. */
export function newPhoto(index: number): string {
  return knownPhoto(index) + randomBytes(12).toString('base64')
}

interface MatchBodyOptions {
  withPreferences: boolean
  photo?: PhotoSource
}

export function createMatchBody(
  pair: ExamplePair,
  { withPreferences, photo = knownPhoto }: MatchBodyOptions,
) {
  const toUser = (profile: ExampleProfile, photoIndex: number) => ({
    id: profile.name,
    photos: [photo(photoIndex)],
    bio: profile.bio,
    ...(withPreferences && {
      preferences: { interests: profile.interests, lifestyle: profile.lifestyle },
    }),
  })
  return { user_a: toUser(pair.sender, 0), user_b: toUser(pair.recipient, 2) }
}

export function createOpenersBody(
  { sender, recipient, tone }: ExamplePair,
  { photo = knownPhoto, count = 3 }: { photo?: PhotoSource; count?: number } = {},
) {
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

export function createPreferencesBody(
  { recipient }: ExamplePair,
  { photo = knownPhoto }: { photo?: PhotoSource } = {},
) {
  return { user: { id: 'user', photos: [photo(3), photo(4)], bio: recipient.bio } }
}
