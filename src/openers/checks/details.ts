import { contentStems } from '../../text/words.js'
import type { OpenerFacts } from '../opener-facts.js'
import { isPlain } from './plain-words.js'

/**
 * Stems of an opener that name something of which the recipient's profile says nothing.
 * @param given - text that the model did not choose
 */
export function listStrangers(text: string, facts: OpenerFacts, given = ''): string[] {
  const known = facts.stems
  const shared = contentStems(facts.commonGround.join(' . '))
  const fixed = contentStems(given)
  return [...contentStems(text)].filter(
    (stem) =>
      !known.has(stem) &&
      !shared.has(stem) &&
      !fixed.has(stem) &&
      !isPlain(stem) &&
      !isContraction(stem),
  )
}

/** "You're" and "haven't" name nothing. */
function isContraction(stem: string): boolean {
  return /['’]/u.test(stem)
}
