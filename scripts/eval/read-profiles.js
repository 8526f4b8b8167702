import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { CATEGORIES } from '../../dist/match/categories.js'
import { TONES } from '../../dist/openers/styles.js'

const SHOWN_PROBLEMS = 10

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
  openers: z.record(z.string(), z.string()).default({}),
})

/** @typedef {z.infer<typeof personSchema>} Person */
/** @typedef {z.infer<typeof pairSchema> & { line: number }} Pair */

/** The file cannot be evaluated; `message` says which lines and fields are at fault. */
export class ProfilesError extends Error {}

/**
 * Labelled profile pairs, one JSON object a line; empty lines are skipped.
 * @throws ProfilesError naming lines and fields
 */
export function readProfiles(/** @type {string} */ file) {
  const text = readText(file)
  const lines = text.replace(/^\uFEFF/, '').split('\n')
  /** @type {Pair[]} */
  const pairs = []
  /** @type {string[]} */
  const problems = []
  lines.forEach((content, i) => {
    if (content.trim() === '') return
    const parsed = parseLine(content)
    if (parsed.pair) pairs.push({ ...parsed.pair, line: i + 1 })
    else problems.push(`  line ${i + 1}: ${parsed.problem}`)
  })
  if (problems.length > 0) throw new ProfilesError(describeProblems(file, problems))
  if (pairs.length === 0) throw new ProfilesError(`${file} holds no profile pairs.`)
  const sha256 = createHash('sha256').update(text).digest('hex')
  return { name: path.basename(file), sha256, pairs }
}

function readText(/** @type {string} */ file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    throw new ProfilesError(
      code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read (${code}).`,
    )
  }
}

function parseLine(/** @type {string} */ content) {
  let json
  try {
    json = JSON.parse(content)
  } catch {
    return { problem: 'is not JSON; every line must be one object' }
  }
  const parsed = pairSchema.safeParse(json)
  if (parsed.success) return { pair: parsed.data }
  const [issue] = parsed.error.issues
  return { problem: `${issue?.path.join('.') || 'the line'}: ${issue?.message}` }
}

function describeProblems(/** @type {string} */ file, /** @type {string[]} */ problems) {
  const more = problems.length - SHOWN_PROBLEMS
  return [
    `${file} is not a file of profile pairs (examples/evaluation/README.md describes the format):`,
    ...problems.slice(0, SHOWN_PROBLEMS),
    ...(more > 0 ? [`  and ${more} more lines`] : []),
  ].join('\n')
}
