import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { OperatorError } from '../../../core/operator-error.js'
import { readingKeySchema, type ReadingKey } from './blind-reading.js'
import { printReading } from './print-reading.js'
import { readGrades } from './reader-grades.js'
import { scoreReading } from './score-reading.js'

/** Prints and writes what readers thought of a prepared reading. */
export function gradeReading({
  out,
  grades,
  seed,
}: {
  out: string
  /** Files of the readers. */
  grades: readonly string[]
  seed: number
}): void {
  const key = readKey(path.join(out, 'key.json'))
  const score = scoreReading(
    key,
    grades.map((file) => readGrades(file, key)),
    seed,
  )
  printReading(score)
  const file = path.join(out, 'reading.json')
  writeFileSync(file, `${JSON.stringify(score, undefined, 2)}\n`)
  console.log(`\nAll numbers: ${file}`)
}

function readKey(file: string): ReadingKey {
  try {
    return readingKeySchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    throw new OperatorError(`${file} is no key of a reading. Prepare one with --read.`, { cause })
  }
}
