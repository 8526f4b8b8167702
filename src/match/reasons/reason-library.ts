import { foldNumber, plainName } from '../../text/plain-name.js'
import { CATEGORIES, type Category } from '../categories.js'
import type { EntryPair } from '../signals/signal.js'
import { EntryIndex, type NameKind, type ReasonEntry } from './entry-index.js'
import type { WrittenReasons } from './read-match-reasons.js'
import type { Pattern } from './reason-schema.js'

const NAMES: Record<Category, NameKind> = {
  shared_hobbies: 'written',
  lifestyle_fit: 'written',
  similar_goals: 'exact',
  complementary_traits: 'exact',
  aesthetic_alignment: 'exact',
}

/** Reasons written by hand, found by what two people have. */
export class ReasonLibrary {
  readonly #entries: ReadonlyMap<Category, EntryIndex>
  readonly #pairs = new Map<string, string[]>()
  readonly #patterns = new Map<Pattern, string[]>()
  readonly #texts: ReadonlySet<string>

  constructor({ entries, pairs, patterns }: WrittenReasons) {
    this.#entries = new Map(
      CATEGORIES.map((category) => [category, new EntryIndex(NAMES[category])]),
    )
    for (const [place, { category, value }] of entries.entries()) {
      this.#entries.get(category)!.add(value, place)
    }
    for (const { value } of pairs) {
      append(this.#pairs, pairKey(value.pair), value.reasons)
    }
    for (const { value } of patterns) {
      append(this.#patterns, value.pattern, value.reasons)
    }
    this.#texts = new Set([...entries, ...pairs].flatMap(({ value }) => value.reasons))
  }

  /** What was written about the rarest of the things that are in both lists; the order of the lists does not matter. */
  findShared(
    category: Category,
    left: readonly string[],
    right: readonly string[],
  ): readonly string[] | undefined {
    const index = this.#entries.get(category)!
    const find = (names: readonly string[]) => names.flatMap((name) => index.find(name) ?? [])
    const inRight = new Set(find(right))
    const [rarest] = find(left)
      .filter((entry) => inRight.has(entry))
      .sort((one: ReasonEntry, other: ReasonEntry) => other.place - one.place)
    return rarest?.reasons
  }

  /** What was written about two ways of living, one of each person. */
  findPair(pair: EntryPair): readonly string[] | undefined {
    return this.#pairs.get(pairKey(pair))
  }

  /** Sentences for two people with nothing in common, with placeholders for one thing of each. */
  findPattern(pattern: Pattern): readonly string[] | undefined {
    return this.#patterns.get(pattern)
  }

  /** Whether a text was written for what two people have. */
  has(text: string): boolean {
    return this.#texts.has(text)
  }
}

/** For an installation without reasons written by hand. */
export const NO_MATCH_REASONS = new ReasonLibrary({ entries: [], pairs: [], patterns: [] })

function append<Key>(lists: Map<Key, string[]>, key: Key, added: readonly string[]): void {
  lists.set(key, [...(lists.get(key) ?? []), ...added])
}

function pairKey(pair: EntryPair): string {
  return pair
    .map((name) => foldNumber(plainName(name)))
    .sort()
    .join('\n')
}
