import { stemmer } from 'stemmer'
import { contentStems, listWords } from './words.js'

const AGENT_NOUN = /^(\p{L}{2,}?)(?:er|or|ist)s?$/u
const GERUND = /^(\p{L}{3,})ing$/u
const CRAFT_NOUN = /^(\p{L}{3,})(?:e?ry|y)$/u
/** "Bak" of "baker"; shorter roots come from words without a verb, such as "ev" of "every". */
const MIN_ROOT_LENGTH = 3

/**
 * The content stems of a text and of words related to its words: "climbing" for "climber", "baker" for "baking",
 * "pottery" for "potter". The stemmer keeps these apart.
 */
export function familyStems(text: string): Set<string> {
  const relatives = listWords(text)
    .filter((word) => contentStems(word).size > 0)
    .flatMap(listRelatives)
  return new Set([...contentStems(text), ...relatives.map((word) => stemmer(word))])
}

/** Derivations of the root of a word, real words or not. */
function listRelatives(word: string): string[] {
  const root = [AGENT_NOUN, GERUND, CRAFT_NOUN]
    .map((ending) => ending.exec(word)?.[1])
    .find(Boolean)
  if (root === undefined || root.length < MIN_ROOT_LENGTH) return []
  // "runn" of "runner" becomes "run".
  const short = root.replace(/([^aeiouls])\1$/u, '$1')
  return [...new Set([root, short])].flatMap((form) =>
    ['', 'e', 'ing', 'er', 'ery', 'y'].map((ending) => form + ending),
  )
}
