import { stemmer } from 'stemmer'
import {
  isDenial,
  listStatements,
  splitDenied,
  startOfDenial,
  withoutLesser,
} from '../../profile/bio-interests.js'
import { startOfClause } from '../../text/clauses.js'
import { withoutInflection } from '../../text/inflections.js'
import { listWords } from '../../text/words.js'

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
  forms: readonly string[]
  /** Whether it denies something. */
  isDenial: boolean
  /** Whether it speaks of somebody else. */
  namesOthers: boolean
  /** Number of words before the clause that denies something or speaks of somebody else. */
  plainWords: number
}

export function indexBio(bio: string): BioIndex {
  const sentences = listStatements(bio).map((text) => {
    const denial = startOfDenial(text)
    const others = startOfOthers(text)
    return {
      ...prepareWords(withoutLesser(text)),
      isDenial: denial < text.length,
      namesOthers: others < text.length,
      plainWords: listWords(withoutLesser(text.slice(0, Math.min(denial, others)))).length,
    }
  })
  const stems = sentences.flatMap((sentence) => sentence.stems)
  return { sentences, stems: new Set(stems), words: stems.length }
}

/** A word or phrase to look for in bios. */
export interface Term {
  text: string
  /** In order. */
  stems: readonly string[]
  /** Each stem with the word without its inflection: "puppet" and "puppeteer" differ here alone. */
  forms: readonly string[]
}

function prepareTerm(text: string): Term {
  return { text, ...prepareWords(text) }
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
  /\b(?:mum|mom|mother|dad|father|parents?|sister|brother|son|daughter|kids?|wife|husband|ex(?!-)|boyfriend|girlfriend|partner|boss|friends?|neighbours?|neighbors?|roommate|flatmate|cousin|aunt|uncle|nan|gran(?:ny|dma|dpa|dmother|dfather)?|dating an?|married (?:to )?an?)\b/iu

/** Where a sentence starts to speak of somebody else: at the clause that names them. */
function startOfOthers(sentence: string): number {
  const others = OTHERS.exec(sentence)
  return others ? startOfClause(sentence, others.index) : sentence.length
}

/** Where a bio mentions a term. */
export interface Mention {
  /** Those of the terms that the sentence has. */
  terms: readonly Term[]
  /** Number of words of the longest term that the sentence has. */
  termWords: number
  sentenceWords: number
}

/**
 * The first sentence that contains one of the terms in any inflection, none of the excluded ones or what is derived from them, and
 * up to the term no denial and nobody else: "I can't stand running" is no runner, and "my sister is a nurse" is no nurse. A term
 * with such a word itself ("can't dance", "my sister made me") may stand anywhere.
 * @returns undefined if there is none
 */
export function findMention(
  { sentences, stems }: BioIndex,
  any: readonly Term[],
  none: readonly Term[],
): Mention | undefined {
  const present = any.filter((term) => term.stems.every((stem) => stems.has(stem)))
  if (present.length === 0) return undefined
  for (const sentence of sentences) {
    const meant = present.filter((term) => isMeant(sentence, term))
    if (meant.length === 0 || none.some((term) => findPhrase(sentence.stems, term.stems) >= 0))
      continue
    const termWords = Math.max(...meant.map((term) => term.stems.length))
    return { terms: meant, termWords, sentenceWords: sentence.stems.length }
  }
  return undefined
}

/** What people write of things that others like and they do not: "suspicious of people who love to travel". */
const DOUBT = /\b(?:suspicious of|overrated|nobody|no one|(?:sick|tired|bored) of)\b/iu

function isMeant(sentence: Sentence, { text, forms }: Term): boolean {
  const start = findPhrase(sentence.forms, forms)
  if (start < 0) return false
  if (start + forms.length <= sentence.plainWords) return true
  return (!sentence.isDenial || isDenial(text)) && (!sentence.namesOthers || OTHERS.test(text))
}

/** Whether a bio affirms a phrase word for word. */
export function quotesPhrase(bio: string, phrase: string): boolean {
  const wanted = ` ${listWords(phrase).join(' ')} `
  return listStatements(bio).some(
    (sentence) =>
      !DOUBT.test(sentence) &&
      ` ${listWords(splitDenied(sentence).affirmed).join(' ')} `.includes(wanted),
  )
}

/** Number of the first word of the phrase; -1 if the sentence does not contain it. */
function findPhrase(words: readonly string[], phrase: readonly string[]): number {
  return words.findIndex((_, start) => phrase.every((word, i) => words[start + i] === word))
}

function prepareWords(text: string): { stems: string[]; forms: string[] } {
  const words = listWords(text)
  const stems = words.map((word) => stemmer(word.replace(/['’]s$/u, '')))
  const forms = words.map((word, i) => `${stems[i]} ${withoutInflection(word.toLowerCase())}`)
  return { stems, forms }
}
