import PEOPLE from '../../../../examples/people.json' with { type: 'json' }
import cat from '../../../../examples/photos/cat.jpg'
import coffee from '../../../../examples/photos/coffee.jpg'
import flower from '../../../../examples/photos/flower.jpg'
import rocket from '../../../../examples/photos/rocket.jpg'
import temple from '../../../../examples/photos/temple.jpg'
import { toDataUrl } from './photo-file.js'
import type { Person } from './person.js'

/** URLs of the bundled photos, by the file names in the examples. */
const PHOTO_URLS: Record<string, string> = {
  'cat.jpg': cat,
  'coffee.jpg': coffee,
  'flower.jpg': flower,
  'rocket.jpg': rocket,
  'temple.jpg': temple,
}

/** An invented person from the examples. */
export type SamplePerson = (typeof PEOPLE)[number]

export const SAMPLE_PEOPLE: readonly SamplePerson[] = PEOPLE

/** Loads the photos of a sample from the portal. */
export async function loadSample({ id, name, bio, photoFiles }: SamplePerson): Promise<Person> {
  const photos = await Promise.all(photoFiles.map(loadPhoto))
  return { id, name, bio, photos, interests: '', lifestyle: '' }
}

async function loadPhoto(file: string): Promise<Person['photos'][number]> {
  const response = await fetch(PHOTO_URLS[file] ?? '')
  if (!response.ok) throw new Error(`The sample photo ${file} could not be loaded.`)
  return { name: file, dataUrl: await toDataUrl(await response.blob()) }
}
