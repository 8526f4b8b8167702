import { stemmer } from 'stemmer'
import { isDenial, splitDenied, withoutLesser } from '../../profile/bio-interests.js'
import { listSentences, listWords } from '../../text/words.js'

/** A bio prepared for many lookups. */
export interface BioIndex {
  sentences: readonly Sentence[]
  /** Stems of all words, for a first look. */
  stems: ReadonlySet<string>
  words: number
}

interface Sentence {
  /** In order, stop words included: a phrase may contain them. */
  stems: readonly string[]
  /** Whether it denies something. */
  isDenial: boolean
  /** Whether it speaks of somebody else. */
  namesOthers: boolean
}

export function indexBio(bio: string): BioIndex {
  const sentences = listSentences(bio).map((text) => ({
    stems: stemWords(withoutLesser(text)),
    isDenial: isDenial(text),
    namesOthers: OTHERS.test(text),
  }))
  const stems = sentences.flatMap((sentence) => sentence.stems)
  return { sentences, stems: new Set(stems), words: stems.length }
}

/** A word or phrase to look for in bios. */
export interface Term {
  text: string
  /** In order. */
  stems: readonly string[]
}

function prepareTerm(text: string): Term {
  return { text, stems: stemWords(text) }
}

/** Prepares terms, each once: hundreds of conditions exclude "retired", and what they share need not be collected as garbage. */
export function createTerms(): (text: string) => Term {
  const prepared = new Map<string, Term>()
  return (text) => {
    const term = prepared.get(text) ?? prepareTerm(text)
    prepared.set(text, term)
    return term
  }
}

/** Somebody else, of whom the sentence may be speaking: "my sister is a nurse", "dating a vegetarian". */
const OTHERS =
  /\b(?:mum|mom|mother|dad|father|parents?|sister|brother|son|daughter|kids?|wife|husband|ex|boyfriend|girlfriend|partner|boss|friends?|neighbours?|neighbors?|roommate|flatmate|cousin|aunt|uncle|nan|gran(?:ny|dma|dpa|dmother|dfather)?|dating an?|married (?:to )?an?)\b/iu

/**
 * Whether a sentence contains one of the terms in any inflection, none of the excluded ones, no denial and nobody else: "I
 * can't stand running" is no runner, and "my sister is a nurse" is no nurse. A term with such a word itself ("can't dance",
 * "my sister made me") may stand in a sentence with one.
 */
export function mentionsTerm(
  { sentences, stems }: BioIndex,
  any: readonly Term[],
  none: readonly Term[],
): boolean {
  const present = any.filter((term) => term.stems.every((stem) => stems.has(stem)))
  return (
    present.length > 0 &&
    sentences.some(
      (sentence) =>
        present.some((term) => hasPhrase(sentence, term) && isMeant(sentence, term)) &&
        !none.some((term) => hasPhrase(sentence, term)),
    )
  )
}

/** What people write of things that others like and they do not: "suspicious of people who love to travel". */
const DOUBT = /\b(?:suspicious of|overrated|nobody|no one|(?:sick|tired|bored) of)\b/iu

function isMeant(sentence: Sentence, { text }: Term): boolean {
  return (!sentence.isDenial || isDenial(text)) && (!sentence.namesOthers || OTHERS.test(text))
}

/** Whether a bio affirms a phrase word for word. */
export function quotesPhrase(bio: string, phrase: string): boolean {
  const wanted = ` ${listWords(phrase).join(' ')} `
  return listSentences(bio).some(
    (sentence) =>
      !DOUBT.test(sentence) &&
      ` ${listWords(splitDenied(sentence).affirmed).join(' ')} `.includes(wanted),
  )
}

function hasPhrase({ stems }: Sentence, { stems: phrase }: Term): boolean {
  return stems.some((_, start) => phrase.every((stem, i) => stems[start + i] === stem))
}

function stemWords(text: string): string[] {
  return listWords(text).map((word) => stemmer(word.replace(/['’]s$/u, '')))
}
