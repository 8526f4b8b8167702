import { contentStems } from '../../text/words.js'
import words from './plain-words.json' with { type: 'json' }

/** Stems of words that name no detail, so that an opener may use them for any profile. */
const plain: ReadonlySet<string> = contentStems(words.join(' '))

export function isPlain(stem: string): boolean {
  return plain.has(stem)
}
