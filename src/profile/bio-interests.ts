import { startOfClause } from '../text/clauses.js'
import { contentStems, listSentences, listWords } from '../text/words.js'
import { KNOWN_INTERESTS } from './tag-vocabulary.js'

const DENIAL =
  /\b(?:hate|hates|dislikes?|can['’]?t stand|don['’]?t|do not|never|no longer|not (?:a|into|my)|allergic to|used to|quit|gave up)\b|\?\s+(?:no|nope|nah|never)\b/i

const ANSWERS_NO = /^(?:no|nope|nah|never)\b/i

/** The sentences of a bio; a question and the "No" that answers it are one. */
export function listStatements(bio: string): string[] {
  const statements: string[] = []
  for (const sentence of listSentences(bio)) {
    const question = statements.at(-1)
    if (question?.endsWith('?') && ANSWERS_NO.test(sentence)) {
      statements[statements.length - 1] = `${question} ${sentence}`
    } else {
      statements.push(sentence)
    }
  }
  return statements
}

/** Whether a sentence contains a denial. */
export function isDenial(sentence: string): boolean {
  return DENIAL.test(sentence)
}

/** What a sentence says of its author and what it denies. */
export interface SplitSentence {
  affirmed: string
  denied: string
}

/** What speaks of what was said before: "Yoga, I can't stand it". */
const POINTS_BACK = /\b(?:it|them|that|those|these|both|either|any|all)\b/iu

/**
 * Where a sentence starts to deny something: at the clause with the denial ("Love the sea, hate boats"), or at its first word if the
 * denial is of what was said before ("Dancing, never").
 * @returns the length of a sentence that denies nothing
 */
export function startOfDenial(sentence: string): number {
  const denial = DENIAL.exec(sentence)
  if (!denial) return sentence.length
  const start = startOfClause(sentence, denial.index)
  const rest = sentence.slice(start).replace(denial[0], '')
  return POINTS_BACK.test(rest) || listWords(rest).length === 0 ? 0 : start
}

/**
 * From the clause with a denial on, a sentence denies, and it denies what it ranks lower: of "soup > salad", the salad. An arrow
 * ("Bern -> Bali") ranks nothing.
 */
export function splitDenied(sentence: string): SplitSentence {
  const affirmed = withoutLesser(sentence.slice(0, startOfDenial(sentence)))
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

/** Interests of the vocabulary that a bio names in its own words; ignores what it denies. */
export function findInterestsInBio(bio: string): string[] {
  const stems = listStatements(bio).map((sentence) =>
    contentStems(splitDenied(sentence).affirmed.replace(MISLEADING, '')),
  )
  return interests
    .filter(({ stems: named }) =>
      stems.some((sentence) => named.every((stem) => sentence.has(stem))),
    )
    .map(({ interest }) => interest)
}
