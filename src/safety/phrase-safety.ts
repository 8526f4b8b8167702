import { createTextCache } from '../text/text-cache.js'
import { assessText } from './text-safety.js'

/** Whether a phrase of a profile may stand in a text of ours. */
export type PhraseSafety = (phrase: string) => boolean

/**
 * The rules for generated text with a memory: preferences are the same few hundred phrases again and again, each of
 * which takes half a millisecond to read.
 */
export function createPhraseSafety(): PhraseSafety {
  const verdicts = createTextCache<boolean>()
  return (phrase) => {
    const known = verdicts.get(phrase)
    if (known !== undefined) return known
    const { safe } = assessText(phrase, 'generated')
    verdicts.set(phrase, safe)
    return safe
  }
}
