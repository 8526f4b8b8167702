import { commentsOnLooks } from '../../safety/appearance.js'
import { assessText } from '../../safety/text-safety.js'
import { contentStems, listSentences, listWords, stemOverlap } from '../../text/words.js'
import type { OpenerFacts } from '../opener-facts.js'
import { isPrivate } from '../private-topics.js'
import type { Style } from '../styles.js'
import { hasUnsupportedClaim } from './unsupported-claims.js'
import { listUnsupportedStems } from './unsupported-stems.js'
import { MAX_CHARACTERS, MIN_CHARACTERS } from './opener-lengths.js'
import { isPlain } from './plain-words.js'
import { inventsName, inventsNumber, manglesName } from './names-and-numbers.js'

/** Why an opener is rejected; the value of a metric label. */
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

// The longest hand-written opener in the style `confident_direct` has 87.
export const MAX_DIRECT_CHARACTERS = 110
// Chosen by hand, like the next two.
const MAX_SENTENCES = 3
/** Words in a row that an opener may copy from the bio. */
const MAX_COPIED_WORDS = 7
/** Overlap of stems, in [0, 1], from which two openers count as the same. */
const SAME_OPENER_OVERLAP = 0.75
const MAX_UNSUPPORTED_STEMS = 2

const SENTENCE_END =
  /[.!?…]["'”’)]*\p{Extended_Pictographic}*\uFE0F?$|\p{Extended_Pictographic}\uFE0F?$/u
const HEDGE =
  /\b(?:maybe|perhaps|might|possibly|i guess|i think|kind of|sort of|i was wondering)\b/i
const PROMPT_TRACE =
  /[<>[\]{}|\\_`]|(?:^|\s)(?:bio|photos|likes|sender|recipient|tone|style|match)\s*:/i

export interface CheckOptions {
  style: Style
  facts: OpenerFacts
  /** Texts of the openers already chosen for the same answer. */
  earlier: readonly string[]
  /** The beginning of the text that the model did not choose. Default: none. */
  prefill?: string
  /** Stems that may name something absent from the profile. Default: 2; 0 for small models, whose additions are invented. */
  maxUnsupportedStems?: number
}

/**
 * The first check that an opener fails, or undefined if it passes all of them.
 * @param text - one line, as it would be sent
 */
export function checkOpener(text: string, options: CheckOptions): Rejection | undefined {
  return checkText(text) ?? checkUse(text, options) ?? checkContent(text, options)
}

/** The checks that depend on the text alone. */
export function checkText(text: string): Rejection | undefined {
  const length = [...text].length
  if (length < MIN_CHARACTERS || length > MAX_CHARACTERS) return 'length'
  if (!SENTENCE_END.test(text)) return 'cut_off'
  if (PROMPT_TRACE.test(text) || listSentences(text).length > MAX_SENTENCES) return 'format'
  if (!assessText(text, 'generated').safe) return 'unsafe'
  if (commentsOnLooks(text)) return 'looks'
  return repeatsItself(text) ? 'repeated' : undefined
}

/** The checks that depend on where a text is used, but not on whether its content is true. */
export function checkUse(
  text: string,
  { style, facts, earlier }: Pick<CheckOptions, 'style' | 'facts' | 'earlier'>,
): Rejection | undefined {
  if (!matchesStyle(text, style, facts)) return 'style'
  if (earlier.some((other) => isSameOpener(text, other))) return 'repeated'
  return copiesBio(text, facts.bio) ? 'copied' : undefined
}

function checkContent(
  text: string,
  { facts, prefill = '', maxUnsupportedStems = MAX_UNSUPPORTED_STEMS }: CheckOptions,
): Rejection | undefined {
  const known = facts.stems
  const mentioned = [...contentStems(text)]
  // A plain word does not ground an opener: "start" in a bio does not make "When did you start?" a question about it.
  const isGrounded = mentioned.some((stem) => known.has(stem) && !isPlain(stem))
  if (!isGrounded && !namesDetail(prefill, facts)) return 'ungrounded'
  if (inventsName(text, facts, prefill) || manglesName(text, facts) || inventsNumber(text, facts)) {
    return 'invented'
  }
  // Templates were reviewed by hand, so only the model's text is checked.
  const generated = text.startsWith(prefill) ? text.slice(prefill.length) : text
  if (hasUnsupportedClaim(generated, facts)) return 'invented'
  if (listUnsupportedStems(text, facts, prefill).length > maxUnsupportedStems) return 'invented'
  return undefined
}

/**
 * How closely an opener refers to the profile; at most 2, higher is better. Details of the profile raise it, other
 * content words lower it. The weights were chosen by hand.
 */
export function groundingScore(text: string, facts: OpenerFacts): number {
  const known = facts.stems
  const stems = [...contentStems(text)]
  const details = stems.filter((stem) => known.has(stem)).length
  return Math.min(details, 3) * (2 / 3) - 0.25 * (stems.length - details)
}

export function asksQuestion(text: string): boolean {
  return text.includes('?')
}

function matchesStyle(text: string, style: Style, facts: OpenerFacts): boolean {
  const asks = asksQuestion(text)
  switch (style) {
    case 'playful_observation':
      return !asks
    case 'open_question':
      return asks
    case 'photo_callback':
      return mentions(text, facts.photoStems)
    case 'shared_interest':
      return mentions(text, facts.commonStems)
    case 'confident_direct':
      return !asks && !HEDGE.test(text) && [...text].length <= MAX_DIRECT_CHARACTERS
  }
}

/** Whether a prefill contains a whole entry of the facts: the interest "reading" is a detail, though a plain word. */
function namesDetail(
  prefill: string,
  { photoElements, likes, sharedInterests }: OpenerFacts,
): boolean {
  const words = ` ${listWords(prefill).join(' ')} `
  return [...photoElements, ...likes, ...sharedInterests].some(
    (entry) =>
      words.includes(` ${listWords(entry).join(' ')} `) &&
      ![...contentStems(entry)].some(isPrivate),
  )
}

function mentions(text: string, stems: ReadonlySet<string>): boolean {
  return [...contentStems(text)].some((stem) => stems.has(stem))
}

/** Whether a content word occurs three times or three words in a row occur twice: the model is stuck in a loop. */
function repeatsItself(text: string): boolean {
  const words = listWords(text)
  const runs = words.slice(2).map((word, i) => `${words[i]} ${words[i + 1]} ${word}`)
  if (new Set(runs).size < runs.length) return true
  const contentWords = words.filter((word) => contentStems(word).size > 0)
  return contentWords.some((word) => contentWords.filter((other) => other === word).length > 2)
}

function isSameOpener(text: string, other: string): boolean {
  const words = (value: string) => listWords(value).join(' ')
  if (words(text) === words(other)) return true
  const [left, right] = [contentStems(text), contentStems(other)]
  return left.size > 2 && right.size > 2 && stemOverlap(left, right) >= SAME_OPENER_OVERLAP
}

/** Whether more than `MAX_COPIED_WORDS` words in a row come from the bio: reciting it to its author is no message. */
function copiesBio(text: string, bio: string): boolean {
  const words = listWords(text)
  const haystack = ` ${listWords(bio).join(' ')} `
  return words.some((_, start) => {
    const run = words.slice(start, start + MAX_COPIED_WORDS + 1)
    return run.length > MAX_COPIED_WORDS && haystack.includes(` ${run.join(' ')} `)
  })
}
