import { commentsOnLooks } from '../../safety/appearance.js'
import { assessText } from '../../safety/text-safety.js'
import { contentStems, listSentences, listWords, stemOverlap } from '../../text/words.js'
import type { OpenerFacts } from '../opener-facts.js'
import { isPrivate } from '../private-topics.js'
import type { Style } from '../styles.js'
import { claimsUnknown } from './claims.js'
import { listStrangers } from './details.js'
import { isPlain } from './plain-words.js'
import { inventsName, inventsNumber, manglesName } from './names-and-numbers.js'

/** Why an opener must not be released; a label of metrics. */
export type Rejection =
  | 'cut_off'
  | 'length'
  | 'format'
  | 'style'
  | 'ungrounded'
  | 'invented'
  | 'copied'
  | 'repeated'
  | 'unsafe'
  | 'looks'

export const MIN_CHARACTERS = 15
// The longest hand-written opener of the training pairs has 125; a first message beyond 200 reads as a letter.
export const MAX_CHARACTERS = 200
// Of those in the style `confident_direct`, the longest has 87.
export const MAX_DIRECT_CHARACTERS = 110
// These three are chosen by hand.
const MAX_SENTENCES = 3
const LONGEST_COPIED_RUN = 7
/** Two openers that share this much of their meaning say the same thing twice. */
const SAME_OPENER_OVERLAP = 0.75

const END = /[.!?…]["'”’)]*\p{Extended_Pictographic}*\uFE0F?$|\p{Extended_Pictographic}\uFE0F?$/u
const HEDGE =
  /\b(?:maybe|perhaps|might|possibly|i guess|i think|kind of|sort of|i was wondering)\b/i
const PROMPT_TRACE =
  /[<>[\]{}|\\_`]|(?:^|\s)(?:bio|photos|likes|sender|recipient|tone|style|match)\s*:/i

export interface CheckedFor {
  style: Style
  facts: OpenerFacts
  /** Openers already chosen for the same answer. */
  earlier: readonly string[]
  /** What the model did not choose of the text. */
  given?: string
  /** How many words may name something that is not in the profile; small models only invent with them. */
  maxStrangers?: number
}

const MAX_STRANGERS = 2

/**
 * The first rule that an opener breaks, or undefined when it may be sent.
 * @param text - one line, as it would be sent
 */
export function checkOpener(
  text: string,
  { style, facts, earlier, given = '', maxStrangers = MAX_STRANGERS }: CheckedFor,
): Rejection | undefined {
  const length = [...text].length
  if (length < MIN_CHARACTERS || length > MAX_CHARACTERS) return 'length'
  if (!END.test(text)) return 'cut_off'
  if (PROMPT_TRACE.test(text) || listSentences(text).length > MAX_SENTENCES) return 'format'
  if (!keepsStyle(text, style, facts)) return 'style'
  if (!assessText(text, 'generated').safe) return 'unsafe'
  if (commentsOnLooks(text)) return 'looks'
  if (stutters(text) || earlier.some((other) => isSameOpener(text, other))) return 'repeated'
  if (copiesRun(text, facts.bio)) return 'copied'
  const known = facts.stems
  const mentioned = [...contentStems(text)]
  // "Start" in a bio makes "When did you start?" no question about it.
  const isGrounded = mentioned.some((stem) => known.has(stem) && !isPlain(stem))
  if (!isGrounded && !namesEntry(given, facts)) return 'ungrounded'
  if (inventsName(text, facts, given) || manglesName(text, facts) || inventsNumber(text, facts)) {
    return 'invented'
  }
  // What people wrote to begin with claims nothing: they saw to that.
  const own = text.startsWith(given) ? text.slice(given.length) : text
  if (claimsUnknown(own, facts)) return 'invented'
  if (listStrangers(text, facts, given).length > maxStrangers) return 'invented'
  return undefined
}

/**
 * How well an opener that passed the checks is tied to the profile; higher is better, at most 2. Details of the
 * profile count for it, words that come from nowhere against it, by weights chosen by hand.
 */
export function groundingScore(text: string, facts: OpenerFacts): number {
  const known = facts.stems
  const stems = [...contentStems(text)]
  const details = stems.filter((stem) => known.has(stem)).length
  return Math.min(details, 3) * (2 / 3) - 0.25 * (stems.length - details)
}

function keepsStyle(text: string, style: Style, facts: OpenerFacts): boolean {
  const asks = text.includes('?')
  switch (style) {
    case 'playful_observation':
      return !asks
    case 'open_question':
      return asks
    case 'photo_callback':
      return mentions(text, facts.photoElements)
    case 'shared_interest':
      return mentions(text, facts.commonGround)
    case 'confident_direct':
      return !asks && !HEDGE.test(text) && [...text].length <= MAX_DIRECT_CHARACTERS
  }
}

/** A beginning that was filled with an interest such as "reading" is about it, however plain the word. */
function namesEntry(
  given: string,
  { photoElements, likes, sharedInterests }: OpenerFacts,
): boolean {
  const words = ` ${listWords(given).join(' ')} `
  return [...photoElements, ...likes, ...sharedInterests].some(
    (entry) =>
      words.includes(` ${listWords(entry).join(' ')} `) &&
      ![...contentStems(entry)].some(isPrivate),
  )
}

function mentions(text: string, terms: readonly string[]): boolean {
  const stems = contentStems(text)
  return terms.some((term) => [...contentStems(term)].some((stem) => stems.has(stem)))
}

/** A word three times, or a run of three words twice, is a model that got stuck. */
function stutters(text: string): boolean {
  const words = listWords(text)
  const runs = words.slice(2).map((word, i) => `${words[i]} ${words[i + 1]} ${word}`)
  if (new Set(runs).size < runs.length) return true
  const stems = listWords(text).filter((word) => contentStems(word).size > 0)
  return stems.some((word) => stems.filter((other) => other === word).length > 2)
}

function isSameOpener(text: string, other: string): boolean {
  const words = (value: string) => listWords(value).join(' ')
  if (words(text) === words(other)) return true
  const [left, right] = [contentStems(text), contentStems(other)]
  return left.size > 2 && right.size > 2 && stemOverlap(left, right) >= SAME_OPENER_OVERLAP
}

/** Reciting somebody's own bio is no message. */
function copiesRun(text: string, bio: string): boolean {
  const words = listWords(text)
  const haystack = ` ${listWords(bio).join(' ')} `
  return words.some((_, start) => {
    const run = words.slice(start, start + LONGEST_COPIED_RUN + 1)
    return run.length > LONGEST_COPIED_RUN && haystack.includes(` ${run.join(' ')} `)
  })
}
