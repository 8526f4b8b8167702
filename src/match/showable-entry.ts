import type { PhraseSafety } from '../safety/phrase-safety.js'
import { isPlainPhrase } from '../text/plain-phrase.js'

const MAX_CHARACTERS = 60

/** Whether a reason may quote a preference to both people. */
export function isShowableEntry(entry: string, isSafePhrase: PhraseSafety): boolean {
  return isPlainPhrase(entry.trim(), MAX_CHARACTERS) && isSafePhrase(entry)
}
