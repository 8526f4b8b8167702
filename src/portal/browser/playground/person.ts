import type {
  InferPreferencesRequest,
  MatchRequest,
  OpenersRequest,
} from '../../../../client/src/index.js'

/** A photo, sent inside the request as a `data:` URL. */
export interface Photo {
  /** Shown to people, such as `cat.jpg`. */
  name: string
  dataUrl: string
}

/** One person of the playground, as entered in the form. */
export interface Person {
  id: string
  name: string
  bio: string
  photos: Photo[]
  /** Comma-separated, like `lifestyle`. */
  interests: string
  lifestyle: string
}

export function inferRequest({ id, photos, bio }: Person): InferPreferencesRequest {
  return { user: { id, photos: photos.map(({ dataUrl }) => dataUrl), bio } }
}

export function matchRequest(a: Person, b: Person): MatchRequest {
  return { user_a: userOf(a), user_b: userOf(b) }
}

export type OpenerChoice = Required<Pick<OpenersRequest, 'tone' | 'count'>>

export function openersRequest(
  sender: Person,
  recipient: Person,
  { tone, count }: OpenerChoice,
): OpenersRequest {
  const { id, name } = sender
  return {
    sender: { id, name, ...preferencesOf(sender) },
    recipient: inferRequest(recipient).user,
    tone,
    count,
  }
}

function userOf(person: Person): MatchRequest['user_a'] {
  return { ...inferRequest(person).user, ...preferencesOf(person) }
}

function preferencesOf(person: Person) {
  const interests = readList(person.interests)
  const lifestyle = readList(person.lifestyle)
  if (interests.length === 0 && lifestyle.length === 0) return {}
  return { preferences: { interests, lifestyle } }
}

function readList(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}
