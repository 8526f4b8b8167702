import { contentStems, listSentences } from '../text/words.js'
import { KNOWN_INTERESTS } from './tag-vocabulary.js'

const DENIAL =
  /\b(?:hate|hates|can['’]?t stand|don['’]?t|do not|never|no longer|not (?:a|into|my)|allergic to|used to|quit|gave up)\b/i

/** Whether a sentence denies something. */
export function isDenial(sentence: string): boolean {
  return DENIAL.test(sentence)
}

// "Learning to boulder" names bouldering; learning itself is mostly a verb in a bio.
const MOSTLY_VERBS: ReadonlySet<string> = new Set(['learning'])

// A tea bowl is no bowling, moving boxes are no boxing, and who runs a farm may never run.
const MISLEADING = /\b(?:bowls?|box(?:es)?|(?<!\bI )fish|(?:run|runs|ran) (?:an?|the|my|our))\b/giu

const interests = KNOWN_INTERESTS.map((interest) => ({
  interest,
  stems: [...contentStems(interest)],
})).filter(({ interest, stems }) => stems.length > 0 && !MOSTLY_VERBS.has(interest))

/** Interests of the vocabulary that a bio names in its own words, leaving out sentences that deny something. */
export function findInterestsInBio(bio: string): string[] {
  const sentences = listSentences(bio).filter((sentence) => !isDenial(sentence))
  const stems = sentences.map((sentence) => contentStems(sentence.replace(MISLEADING, '')))
  return interests
    .filter(({ stems: wanted }) => stems.some((have) => wanted.every((stem) => have.has(stem))))
    .map(({ interest }) => interest)
}
