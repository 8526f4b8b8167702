import { readFileSync } from 'node:fs'
import path from 'node:path'
import { OperatorError } from '../../../core/operator-error.js'
import type { ReadingKey } from './blind-reading.js'

export type Grade = 'S' | 'O' | 'X'

export interface JudgedMessage {
  grade: Grade
  invents: boolean
}

/** What one reader wrote. */
export interface ReaderGrades {
  /** Name of the file, without its extension. */
  reader: string
  /** By number of the message. */
  judged: ReadonlyMap<number, JudgedMessage>
  /** Numbers of the messages that the reader would send. */
  best: ReadonlySet<number>
}

const GRADE_LINE = /^(\d+)\s+([SOX])(\s+i)?$/iu
const BEST_LINE = /^best:?\s+(\d+)$/iu
const MAX_REPORTED = 5

/**
 * Reads the grades of one reader. Blank lines, headings and code fences are skipped; every message needs exactly one grade.
 * @throws OperatorError with the lines that cannot be read and the messages that lack a grade
 */
export function readGrades(file: string, { messages }: ReadingKey): ReaderGrades {
  const numbers = new Set(messages.map(({ number }) => number))
  const judged = new Map<number, JudgedMessage>()
  const best = new Set<number>()
  const problems: string[] = []
  for (const [i, raw] of readText(file).split('\n').entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#') || line.startsWith('```')) continue
    const problem = readLine(line, { numbers, judged, best })
    if (problem) problems.push(`  line ${i + 1}: ${problem}`)
  }
  const missing = [...numbers].filter((number) => !judged.has(number))
  if (missing.length > 0) {
    problems.push(`  no grade for ${missing.length} messages, the first of them ${missing[0]}`)
  }
  if (problems.length > 0) {
    const more = problems.length - MAX_REPORTED
    const tail = more > 0 ? [`  and ${more} more problems`] : []
    throw new OperatorError(
      [`${file} cannot be used:`, ...problems.slice(0, MAX_REPORTED), ...tail].join('\n'),
    )
  }
  return { reader: path.parse(file).name, judged, best }
}

interface Reading {
  numbers: ReadonlySet<number>
  judged: Map<number, JudgedMessage>
  best: Set<number>
}

/** Returns what is wrong with a line. */
function readLine(line: string, { numbers, judged, best }: Reading): string | undefined {
  const choice = BEST_LINE.exec(line)
  const number = Number(choice?.[1] ?? GRADE_LINE.exec(line)?.[1])
  if (Number.isNaN(number)) return 'is neither "NUMBER S, O or X" nor "best NUMBER"'
  if (!numbers.has(number)) return `there is no message ${number}`
  if (choice) {
    best.add(number)
    return undefined
  }
  if (judged.has(number)) return `message ${number} has two grades`
  const [, , grade, invents] = GRADE_LINE.exec(line)!
  judged.set(number, { grade: grade!.toUpperCase() as Grade, invents: invents !== undefined })
  return undefined
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new OperatorError(`${file} cannot be read.`, { cause })
  }
}
