import path from 'node:path'
import { OperatorError } from '../../core/operator-error.js'
import { readLineFiles, type PlacedLine } from '../../profile/read-line-files.js'
import { CATEGORIES, type Category } from '../categories.js'
import {
  entryReasonsSchema,
  pairReasonsSchema,
  patternReasonsSchema,
  type EntryReasons,
  type PairReasons,
  type PatternReasons,
} from './reason-schema.js'

const TITLE = 'Match reasons'
const PAIRS = 'lifestyle-fit-pairs'
const PATTERNS = 'patterns'

/** What the files of a folder hold, in the order of their names (without `.jsonl`: an operator's come last) and lines. */
export interface WrittenReasons {
  entries: readonly (PlacedLine<EntryReasons> & { category: Category })[]
  /** Of ways of living. */
  pairs: readonly PlacedLine<PairReasons>[]
  /** For two people with nothing in common. */
  patterns: readonly PlacedLine<PatternReasons>[]
}

/**
 * Reads the reasons written by hand in a folder. The name of a file begins with its category: `shared-hobbies.jsonl`,
 * `shared-hobbies-ours.jsonl`.
 * @returns nothing if there is no such folder
 * @throws OperatorError naming file and line
 */
export function readMatchReasons(folder: string): WrittenReasons {
  const lines = readLineFiles<EntryReasons | PairReasons | PatternReasons>(folder, {
    title: TITLE,
    schemaOf: (file) => SCHEMAS[kindOf(file)] ?? entryReasonsSchema,
  }).sort((one, other) => compare(path.parse(one.file).name, path.parse(other.file).name))
  return {
    entries: lines.flatMap(({ value, ...placed }) => {
      const kind = kindOf(placed.file)
      return 'entry' in value && kind !== PAIRS && kind !== PATTERNS
        ? [{ ...placed, value, category: kind }]
        : []
    }),
    pairs: lines.flatMap(({ value, ...placed }) => ('pair' in value ? [{ ...placed, value }] : [])),
    patterns: lines.flatMap(({ value, ...placed }) =>
      'pattern' in value ? [{ ...placed, value }] : [],
    ),
  }
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1
}

type Kind = Category | typeof PAIRS | typeof PATTERNS

/** Of files whose lines have no entries. */
const SCHEMAS: Partial<Record<Kind, typeof pairReasonsSchema | typeof patternReasonsSchema>> = {
  [PAIRS]: pairReasonsSchema,
  [PATTERNS]: patternReasonsSchema,
}

/** @throws OperatorError if the name begins with no category */
function kindOf(file: string): Kind {
  const beginsWith = (kind: string) => file.startsWith(`${kind}-`) || file === `${kind}.jsonl`
  if (beginsWith(PAIRS)) return PAIRS
  if (beginsWith(PATTERNS)) return PATTERNS
  const category = CATEGORIES.find((name) => beginsWith(fileNameOf(name)))
  if (category !== undefined) return category
  const names = [...CATEGORIES.map(fileNameOf), PAIRS, PATTERNS]
  throw new OperatorError(`${TITLE}, ${file}: its name must begin with ${names.join(', ')}.`)
}

function fileNameOf(category: Category): string {
  return category.replaceAll('_', '-')
}
