import { contentStems, listSentences, listWords } from '../../text/words.js'
import type { OpenerFacts } from '../opener-facts.js'

/** Letters in which a mangled name agrees with the original. */
const NAME_PREFIX_LETTERS = 4

/**
 * Whether an opener contains a name that neither profile contains: a capitalised word inside a sentence, or a name
 * that it addresses ("Maya, …").
 * @param prefill - text that the model did not choose
 */
export function inventsName(text: string, facts: OpenerFacts, prefill = ''): boolean {
  const { bio, photoElements, likes, senderLikes } = facts
  const known = new Set(
    listWords([bio, ...photoElements, ...likes, ...senderLikes, prefill].join(' ')),
  )
  const isKnown = (word: string) => {
    const lower = word.toLowerCase().replace(/['’]s?$/u, '')
    return known.has(lower) || known.has(`${lower}s`) || known.has(lower.replace(/s$/, ''))
  }
  return listSentences(text).some((sentence) => {
    const addressee = /^(\p{Lu}\p{Ll}+)[,!]/u.exec(sentence)?.[1]
    if (addressee !== undefined && contentStems(addressee).size > 0 && !isKnown(addressee)) {
      return !INTERJECTIONS.has(addressee.toLowerCase())
    }
    const inside =
      sentence.match(/(?<=[\p{L}\p{N},;:–—-]["'“‘(]?\s["'“‘(]?)\p{Lu}[\p{L}\p{N}'’]*/gu) ?? []
    return inside.some((word) => !/^I(?:['’]\p{L}+)?$/u.test(word) && !isKnown(word))
  })
}

/** Capitalised words before a comma or exclamation mark that are no names. */
const INTERJECTIONS: ReadonlySet<string> = new Set([
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

/** Whether a capitalised word starts like a name in the bio but ends differently: "Chelyte" for Chelsea. */
export function manglesName(text: string, facts: OpenerFacts): boolean {
  const names = facts.bio.match(/(?<=[\p{L}\p{N},;:] )\p{Lu}\p{Ll}{4,}/gu) ?? []
  const known = facts.stems
  return (text.match(/\p{Lu}\p{Ll}{4,}/gu) ?? []).some((word) =>
    names.some(
      (name) =>
        word.slice(0, NAME_PREFIX_LETTERS) === name.slice(0, NAME_PREFIX_LETTERS) &&
        ![...contentStems(word)].every((stem) => known.has(stem)),
    ),
  )
}

/** Whether an opener contains a number that the profile does not contain. */
export function inventsNumber(text: string, facts: OpenerFacts): boolean {
  const known = new Set(
    [facts.bio, ...facts.photoElements, ...facts.likes].join(' ').match(/\d+/g) ?? [],
  )
  return (text.match(/\d+/g) ?? []).some((number) => !known.has(number))
}
