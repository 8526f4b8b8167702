import { contentStems } from '../../text/words.js'
import type { OpenerFacts } from '../opener-facts.js'
import { isPlain } from './plain-words.js'

/**
 * Stems of an opener that name something absent from the recipient's profile.
 * @param prefill - text that the model did not choose
 */
export function listUnsupportedStems(text: string, facts: OpenerFacts, prefill = ''): string[] {
  const known = facts.stems
  const fixed = contentStems(prefill)
  return [...contentStems(text)].filter(
    (stem) =>
      !known.has(stem) &&
      !facts.commonStems.has(stem) &&
      !fixed.has(stem) &&
      !isPlain(stem) &&
      !isContraction(stem),
  )
}

/** "You're" and "haven't" name nothing. */
function isContraction(stem: string): boolean {
  return /['’]/u.test(stem)
}
