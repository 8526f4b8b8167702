import { stemmer } from 'stemmer'
import { contentStems, listWords } from './words.js'

const DOER = /^(\p{L}{2,}?)(?:er|or|ist)s?$/u
const DOING = /^(\p{L}{3,})ing$/u
const ART = /^(\p{L}{3,})(?:e?ry|y)$/u

/**
 * The content stems of a text and those of the closest relatives of its words: "climbing" for "climber", "baker" for
 * "baking", "pottery" for "potter". Stems by suffix leave these apart.
 */
export function familyStems(text: string): Set<string> {
  const relatives = listWords(text)
    .filter((word) => contentStems(word).size > 0)
    .flatMap(listRelatives)
  return new Set([...contentStems(text), ...relatives.map((word) => stemmer(word))])
}

function listRelatives(word: string): string[] {
  const root = [DOER, DOING, ART].map((ending) => ending.exec(word)?.[1]).find(Boolean)
  if (root === undefined || root.length < SHORTEST_ROOT) return []
  // "runn" of "runner" is "run".
  const short = root.replace(/([^aeiouls])\1$/u, '$1')
  return [...new Set([root, short])].flatMap((form) =>
    ['', 'e', 'ing', 'er', 'ery', 'y'].map((ending) => form + ending),
  )
}

/** "Bak" of "baker"; shorter ones are parts of words that name nobody, such as "ev" of "every". */
const SHORTEST_ROOT = 3
