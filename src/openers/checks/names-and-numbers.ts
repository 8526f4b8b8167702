import { contentStems, listSentences, listWords } from '../../text/words.js'
import type { OpenerFacts } from '../opener-facts.js'

const NAME_BEGINNING = 4

/**
 * A capitalised word inside a sentence, or a name spoken to, that stands nowhere in the profiles.
 * @param given - text that the model did not choose
 */
export function inventsName(text: string, facts: OpenerFacts, given = ''): boolean {
  const { bio, photoElements, likes, senderLikes } = facts
  const known = new Set(
    listWords([bio, ...photoElements, ...likes, ...senderLikes, given].join(' ')),
  )
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
export function manglesName(text: string, facts: OpenerFacts): boolean {
  const names = facts.bio.match(/(?<=[\p{L}\p{N},;:] )\p{Lu}\p{Ll}{4,}/gu) ?? []
  const known = facts.stems
  return (text.match(/\p{Lu}\p{Ll}{4,}/gu) ?? []).some((word) =>
    names.some(
      (name) =>
        word.slice(0, NAME_BEGINNING) === name.slice(0, NAME_BEGINNING) &&
        ![...contentStems(word)].every((stem) => known.has(stem)),
    ),
  )
}

export function inventsNumber(text: string, facts: OpenerFacts): boolean {
  const known = new Set(
    [facts.bio, ...facts.photoElements, ...facts.likes].join(' ').match(/\d+/g) ?? [],
  )
  return (text.match(/\d+/g) ?? []).some((number) => !known.has(number))
}
