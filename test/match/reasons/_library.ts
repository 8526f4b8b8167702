import type { Category } from '../../../src/match/categories.js'
import { ReasonLibrary } from '../../../src/match/reasons/reason-library.js'
import type {
  EntryReasons,
  PairReasons,
  PatternReasons,
} from '../../../src/match/reasons/reason-schema.js'

/** A library of the lines of one category, of pairs of ways of living, and of patterns. */
export function libraryOf(
  category: Category,
  entries: readonly EntryReasons[],
  pairs: readonly PairReasons[] = [],
  patterns: readonly PatternReasons[] = [],
): ReasonLibrary {
  const placed = { file: 'test.jsonl', place: 'test.jsonl:1' }
  return new ReasonLibrary({
    entries: entries.map((value) => ({ ...placed, category, value })),
    pairs: pairs.map((value) => ({ ...placed, value })),
    patterns: patterns.map((value) => ({ ...placed, value })),
  })
}
