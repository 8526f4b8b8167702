import { createTextCache } from '../text/text-cache.js'
import { assessText } from './text-safety.js'

/** Whether a generated text may quote a phrase of a profile. */
export type PhraseSafety = (phrase: string) => boolean

/**
 * The rules for generated text with a cache: preferences repeat the same few hundred phrases, and each takes half a
 * millisecond.
 */
export function createPhraseSafety(): PhraseSafety {
  const verdicts = createTextCache<boolean>()
  return (phrase) => {
    const cached = verdicts.get(phrase)
    if (cached !== undefined) return cached
    const { safe } = assessText(phrase, 'generated')
    verdicts.set(phrase, safe)
    return safe
  }
}
