import { commentsOnLooks } from '../safety/appearance.js'
import { assessText } from '../safety/text-safety.js'
import { contentStems, listSentences, listWords, stemOverlap } from '../text/words.js'
import type { Style } from './styles.js'

/** What is known of the two people when an opener is judged. */
export interface OpenerFacts {
  senderName: string
  bio: string
  /** Names of what was recognised in the recipient's photos. */
  photoElements: readonly string[]
  /** The recipient's interests. */
  likes: readonly string[]
  /** The sender's interests and lifestyle. */
  senderLikes: readonly string[]
  /** What both have, in the recipient's words. */
  commonGround: readonly string[]
}

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

const MIN_CHARACTERS = 15
// The longest hand-written opener of the training pairs has 125; a first message beyond 200 reads as a letter.
const MAX_CHARACTERS = 200
const MAX_DIRECT_CHARACTERS = 110
const MAX_SENTENCES = 3
const LONGEST_COPIED_RUN = 7
const NAME_BEGINNING = 4
/** Two openers that share this much of their meaning say the same thing twice. */
const SAME_OPENER_OVERLAP = 0.75

const END = /[.!?…]["'”’)]*\p{Extended_Pictographic}*\uFE0F?$|\p{Extended_Pictographic}\uFE0F?$/u
const HEDGE =
  /\b(?:maybe|perhaps|might|possibly|i guess|i think|kind of|sort of|i was wondering)\b/i
const PROMPT_TRACE =
  /<\|?|\|>|\[\/?INST\]|[{}\\]|(?:^|\s)(?:bio|photos|likes|sender|recipient|tone|style|match)\s*:/i

/**
 * The first rule that an opener breaks, or undefined when it may be sent.
 * @param text - one line, as it would be sent
 * @param earlier - openers already chosen for the same answer
 */
export function checkOpener(
  text: string,
  { style, facts, earlier }: { style: Style; facts: OpenerFacts; earlier: readonly string[] },
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
  const known = knownStems(facts)
  const mentioned = [...contentStems(text)]
  if (!mentioned.some((stem) => known.has(stem))) return 'ungrounded'
  if (inventsName(text, facts) || manglesName(text, facts) || inventsNumber(text, facts)) {
    return 'invented'
  }
  return undefined
}

/**
 * How well an opener that passed the checks is tied to the profile; higher is better, at most 2. Details of the
 * profile count for it, words that come from nowhere against it.
 */
export function groundingScore(text: string, facts: OpenerFacts): number {
  const known = knownStems(facts)
  const stems = [...contentStems(text)]
  const details = stems.filter((stem) => known.has(stem)).length
  return Math.min(details, 3) * (2 / 3) - 0.25 * (stems.length - details)
}

function knownStems(facts: OpenerFacts): Set<string> {
  return contentStems([facts.bio, ...facts.photoElements, ...facts.likes].join(' . '))
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

/** A capitalised word inside a sentence, or a name spoken to, that stands nowhere in the profiles. */
function inventsName(text: string, facts: OpenerFacts): boolean {
  const everything = [facts.bio, ...facts.photoElements, ...facts.likes, ...facts.senderLikes].join(
    ' ',
  )
  const known = new Set(listWords(everything))
  const isKnown = (word: string) => {
    const lower = word.toLowerCase().replace(/['’]s?$/u, '')
    return known.has(lower) || known.has(`${lower}s`) || known.has(lower.replace(/s$/, ''))
  }
  return listSentences(text).some((sentence) => {
    const spokenTo = /^(\p{Lu}\p{Ll}+)[,!]/u.exec(sentence)?.[1]
    if (spokenTo !== undefined && contentStems(spokenTo).size > 0 && !isKnown(spokenTo)) {
      return !OPENING_WORDS.has(spokenTo.toLowerCase())
    }
    const inside =
      sentence.match(/(?<=[\p{L}\p{N},;:–—-]["'“‘(]?\s["'“‘(]?)\p{Lu}[\p{L}\p{N}'’]*/gu) ?? []
    return inside.some((word) => !/^I(?:['’]\p{L}+)?$/u.test(word) && !isKnown(word))
  })
}

const OPENING_WORDS: ReadonlySet<string> = new Set([
  'hey',
  'hi',
  'hello',
  'ok',
  'okay',
  'honestly',
  'clearly',
  'apparently',
  'congratulations',
  'respect',
  'fine',
  'true',
  'bold',
  'listen',
  'please',
  'first',
  'right',
  'wow',
  'oh',
  'ah',
  'careful',
  'sunday',
  'monday',
  'friday',
  'saturday',
])

/** A word that begins like a name of the profile and ends otherwise: "Chelyte" for Chelsea. */
function manglesName(text: string, facts: OpenerFacts): boolean {
  const names = facts.bio.match(/(?<=[\p{L}\p{N},;:] )\p{Lu}\p{Ll}{4,}/gu) ?? []
  const known = knownStems(facts)
  return (text.match(/\p{Lu}\p{Ll}{4,}/gu) ?? []).some((word) =>
    names.some(
      (name) =>
        word.slice(0, NAME_BEGINNING) === name.slice(0, NAME_BEGINNING) &&
        ![...contentStems(word)].every((stem) => known.has(stem)),
    ),
  )
}

function inventsNumber(text: string, facts: OpenerFacts): boolean {
  const known = new Set(
    [facts.bio, ...facts.photoElements, ...facts.likes].join(' ').match(/\d+/g) ?? [],
  )
  return (text.match(/\d+/g) ?? []).some((number) => !known.has(number))
}
