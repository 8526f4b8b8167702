import { assessText } from '../safety/text-safety.js'
import { createTextCache } from '../text/text-cache.js'

const PLAIN_PHRASE = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} '’&/-]{1,59}$/u

/**
 * A reason may quote a preference to both people, so it has to be a plain and safe phrase. Preferences are the same few
 * hundred phrases again and again, and a match has up to fifty of them, each of which takes half a millisecond to read.
 */
export function createShowableEntryCheck(): (entry: string) => boolean {
  const verdicts = createTextCache<boolean>()
  return (entry) => {
    if (!PLAIN_PHRASE.test(entry.trim())) return false
    const known = verdicts.get(entry)
    if (known !== undefined) return known
    const { safe } = assessText(entry, 'generated')
    verdicts.set(entry, safe)
    return safe
  }
}
