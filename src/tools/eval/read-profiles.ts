import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { OperatorError } from '../../core/operator-error.js'
import { CATEGORIES } from '../../match/categories.js'
import { TONES } from '../../openers/styles.js'

const MAX_REPORTED_PROBLEMS = 10

const texts = z.array(z.string())
const personSchema = z.object({
  name: z.string(),
  bio: z.string(),
  photos: texts.default([]),
  interests: texts.default([]),
  lifestyle: texts.default([]),
})
const pairSchema = z.object({
  tone: z.enum(TONES).default('playful'),
  sender: personSchema,
  recipient: personSchema,
  match: z.object({
    category: z.enum(CATEGORIES),
    confidence: z.number().min(0).max(1),
    reason: z.string().default(''),
  }),
  /** By style; null where the profile allows none. */
  openers: z
    .record(z.string(), z.string().nullable())
    .default({})
    .transform(
      (openers) =>
        Object.fromEntries(Object.entries(openers).filter(([, text]) => text !== null)) as Record<
          string,
          string
        >,
    ),
})

/** A labelled profile; `photos` holds the tags of its photos. */
export type Person = z.infer<typeof personSchema>
/** A labelled pair of profiles. */
export type Pair = z.infer<typeof pairSchema>

export interface ProfilePairs {
  /** Name of the file. */
  name: string
  sha256: string
  pairs: Pair[]
}

/**
 * Reads labelled profile pairs, one JSON object a line; skips empty lines.
 * @throws OperatorError with the lines and fields that are not valid
 */
export function readProfiles(file: string): ProfilePairs {
  const text = readText(file)
  const pairs: Pair[] = []
  const problems: string[] = []
  for (const [i, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (line.trim() === '') continue
    const { pair, problem } = parseLine(line)
    if (pair) pairs.push(pair)
    else problems.push(`  line ${i + 1}: ${problem}`)
  }
  if (problems.length > 0) throw new OperatorError(describeProblems(file, problems))
  if (pairs.length === 0) throw new OperatorError(`${file} holds no profile pairs.`)
  const sha256 = createHash('sha256').update(text).digest('hex')
  return { name: path.basename(file), sha256, pairs }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new OperatorError(
      code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read (${code}).`,
    )
  }
}

function parseLine(line: string): { pair?: Pair; problem?: string } {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return { problem: 'is not JSON; every line must be one object' }
  }
  const { data, error } = pairSchema.safeParse(value)
  if (data) return { pair: data }
  const [issue] = error.issues
  return { problem: `${issue?.path.join('.') || 'the line'}: ${issue?.message}` }
}

function describeProblems(file: string, problems: readonly string[]): string {
  const more = problems.length - MAX_REPORTED_PROBLEMS
  return [
    `${file} is not a file of profile pairs (examples/evaluation/README.md describes the format):`,
    ...problems.slice(0, MAX_REPORTED_PROBLEMS),
    ...(more > 0 ? [`  and ${more} more lines`] : []),
  ].join('\n')
}
