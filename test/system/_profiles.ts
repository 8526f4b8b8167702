import { readFile } from 'node:fs/promises'
import path from 'node:path'

/** Returns a bundled photo as a `data:` URL. */
export async function photo(name: string): Promise<string> {
  const bytes = await readFile(path.join('examples', 'photos', `${name}.jpg`))
  return `data:image/jpeg;base64,${bytes.toString('base64')}`
}

export const MAYA_BIO =
  'Weekend climber, weekday data analyst. My cat Chelsea supervises every video call. I take coffee seriously.'
export const SAM_BIO =
  'Software engineer, early riser. I roast my own coffee on Sundays and share my flat with two rescue cats.'

export async function matchBody(changes: { preferences?: boolean; bio?: string } = {}) {
  const preferences = { interests: ['coffee', 'cats', 'bouldering'], lifestyle: ['early riser'] }
  const user = async (id: string, bio: string, file: string) => ({
    id,
    bio,
    photos: [await photo(file)],
    ...(changes.preferences === false ? {} : { preferences }),
  })
  return {
    user_a: await user('sam', changes.bio ?? SAM_BIO, 'coffee'),
    user_b: await user('maya', MAYA_BIO, 'cat'),
  }
}

export async function openersBody(changes: object = {}) {
  return {
    sender: {
      id: 'sam',
      name: 'Sam',
      preferences: { interests: ['coffee', 'cats'], lifestyle: ['early riser'] },
    },
    recipient: { id: 'maya', photos: [await photo('cat'), await photo('coffee')], bio: MAYA_BIO },
    ...changes,
  }
}
