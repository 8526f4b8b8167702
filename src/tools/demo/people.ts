import { readFileSync } from 'node:fs'
import path from 'node:path'
import { PROJECT_FOLDER } from '../project-folder.js'

const EXAMPLES_FOLDER = path.join(PROJECT_FOLDER, 'examples')

/** An invented person with bundled photos. */
export interface Person {
  id: string
  name: string
  bio: string
  photoFiles: string[]
}

const people = JSON.parse(
  readFileSync(path.join(EXAMPLES_FOLDER, 'people.json'), 'utf8'),
) as Person[]

/** The people of the demo. */
export const PEOPLE = { sam: getPerson('Sam'), maya: getPerson('Maya'), june: getPerson('June') }

function getPerson(name: string): Person {
  const person = people.find((candidate) => candidate.name === name)
  if (!person) throw new Error(`examples/people.json has no person named ${name}.`)
  return person
}

/** A person's photos as `data:` URLs. */
export function readPhotos({ photoFiles }: Person): string[] {
  return photoFiles.map((file) => {
    const bytes = readFileSync(path.join(EXAMPLES_FOLDER, 'photos', file))
    return `data:image/jpeg;base64,${bytes.toString('base64')}`
  })
}
