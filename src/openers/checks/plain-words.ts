import { contentStems } from '../../text/words.js'
import words from './plain-words.json' with { type: 'json' }

/** Words that name no detail, so that an opener may use them whatever the profile says. */
const plain: ReadonlySet<string> = contentStems(words.join(' '))

export function isPlain(stem: string): boolean {
  return plain.has(stem)
}
