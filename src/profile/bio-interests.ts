import { contentStems, listSentences } from '../text/words.js'
import { KNOWN_INTERESTS } from './tag-vocabulary.js'

const DENIAL =
  /\b(?:hate|hates|can['’]?t stand|don['’]?t|do not|never|no longer|not (?:a|into|my)|allergic to|used to|quit|gave up)\b/i

/** Whether a sentence contains a denial. */
export function isDenial(sentence: string): boolean {
  return DENIAL.test(sentence)
}

/** What a sentence says of its author and what it denies. */
export interface SplitSentence {
  affirmed: string
  denied: string
}

/**
 * All of a sentence with a denial is denied, and what a sentence ranks lower: of "soup > salad", the salad. An arrow ("Bern -> Bali")
 * ranks nothing.
 */
export function splitDenied(sentence: string): SplitSentence {
  if (isDenial(sentence)) return { affirmed: '', denied: sentence }
  const affirmed = withoutLesser(sentence)
  return { affirmed, denied: sentence.slice(affirmed.length) }
}

/** A sentence without what it ranks lower. */
export function withoutLesser(sentence: string): string {
  return sentence.replace(/(?<![-=])>.*$/su, '')
}

// "Learning to boulder" names bouldering; learning itself is mostly a verb in a bio.
const MOSTLY_VERBS: ReadonlySet<string> = new Set(['learning'])

// A tea bowl is not bowling, moving boxes are not boxing, and running a farm is not running.
const MISLEADING = /\b(?:bowls?|box(?:es)?|(?<!\bI )fish|(?:run|runs|ran) (?:an?|the|my|our))\b/giu

const interests = KNOWN_INTERESTS.map((interest) => ({
  interest,
  stems: [...contentStems(interest)],
})).filter(({ interest, stems }) => stems.length > 0 && !MOSTLY_VERBS.has(interest))

/** Interests of the vocabulary that a bio names in its own words; ignores sentences that contain a denial. */
export function findInterestsInBio(bio: string): string[] {
  const stems = listSentences(bio).map((sentence) =>
    contentStems(splitDenied(sentence).affirmed.replace(MISLEADING, '')),
  )
  return interests
    .filter(({ stems: named }) =>
      stems.some((sentence) => named.every((stem) => sentence.has(stem))),
    )
    .map(({ interest }) => interest)
}
