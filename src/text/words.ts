import { stemmer } from 'stemmer'
import { eng } from 'stopword'

/** Minimum length of a stem that counts as the root of a longer one. */
const MIN_ROOT = 4
/** A mark at the start belongs to something else: to an emoji, its variation selector. */
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’][\p{L}]+)*/gu

/** Words without detail about a person, in addition to the usual stop words. */
const VAGUE = [
  'always',
  'anyone',
  'back',
  'bit',
  'day',
  'days',
  'enough',
  'ever',
  'every',
  'everything',
  'far',
  'feel',
  'find',
  'first',
  'gets',
  'give',
  'go',
  'going',
  'good',
  'got',
  'great',
  'half',
  'happy',
  'hear',
  'keep',
  'kind',
  'know',
  'last',
  'let',
  'life',
  'like',
  'likes',
  'little',
  'lol',
  'long',
  'look',
  'looking',
  'lot',
  'love',
  'made',
  'make',
  'makes',
  'many',
  'maybe',
  'mean',
  'need',
  'never',
  'new',
  'next',
  'nice',
  'nobody',
  'one',
  'people',
  'person',
  'photo',
  'photos',
  'picture',
  'probably',
  'put',
  'real',
  'really',
  'right',
  'said',
  'say',
  'says',
  'see',
  'someone',
  'something',
  'still',
  'sure',
  'take',
  'tell',
  'thing',
  'things',
  'think',
  'time',
  'two',
  'us',
  'want',
  'way',
  'week',
  'well',
  'work',
  'world',
  'year',
  'years',
  'yes',
]

const ignored: ReadonlySet<string> = new Set([...eng, ...VAGUE])

/** The words of a text in lower case, without punctuation, in order. */
export function listWords(text: string): string[] {
  return (text.normalize('NFKC').match(WORD) ?? []).map((word) => word.toLowerCase())
}

/**
 * Stems of the words that carry meaning, without stop words and possessive endings.
 * Source of the stemmer: M. F. Porter, "An algorithm for suffix stripping", 1980.
 */
export function contentStems(text: string): Set<string> {
  const stems = listWords(text)
    .map((word) => word.replace(/['’]s?$/u, ''))
    .filter((word) => word.length > 1 && !ignored.has(word))
    .map((word) => stemmer(word))
  return new Set(stems)
}

/** Splits a text into sentences: after `.`, `!`, `?` or `…`, and at line breaks. */
export function listSentences(text: string): string[] {
  return text
    .split(/(?<=[.!?…])["'”’)]*\s+|\n+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
}

/** Overlap coefficient of two sets of stems, in [0, 1]; 0 if either is empty. */
export function stemOverlap(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const smaller = Math.min(left.size, right.size)
  if (smaller === 0) return 0
  return [...left].filter((stem) => right.has(stem)).length / smaller
}

/** Whether two stems come from the same root: the stemmer keeps the ending of `climber` but not of `climbing`. */
export function haveSameRoot(left: string, right: string): boolean {
  const [shorter, longer] = left.length < right.length ? [left, right] : [right, left]
  return shorter === longer || (shorter.length >= MIN_ROOT && longer.startsWith(shorter))
}
