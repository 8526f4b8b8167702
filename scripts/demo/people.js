import { readFileSync } from 'node:fs'
import path from 'node:path'
import { projectDir } from '../prepare.js'

/** @typedef {{ id: string, name: string, bio: string, photoFiles: string[] }} Person */

/** @type {Person[]} */
const people = JSON.parse(readFileSync(path.join(projectDir, 'examples', 'people.json'), 'utf8'))

/** Invented people of the examples, whose photos are the bundled ones. */
export const PEOPLE = { sam: named('Sam'), maya: named('Maya'), june: named('June') }

/** @returns {Person} */
function named(/** @type {string} */ name) {
  const person = people.find((one) => one.name === name)
  if (!person) throw new Error(`examples/people.json has nobody of the name ${name}.`)
  return person
}
