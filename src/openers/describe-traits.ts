import { contentStems } from '../text/words.js'
import { asksQuestion } from './checks/check-opener.js'
import { isPlain } from './checks/plain-words.js'
import type { OpenerFacts } from './opener-facts.js'
import type { OpenerDetail, OpenerTraits } from './opener-traits.js'

/**
 * The traits of an opener, by the same rules as the checks of its style.
 * @param score - the reranker's; undefined for a pack without one
 */
export function describeTraits(
  text: string,
  facts: OpenerFacts,
  score: number | undefined,
): OpenerTraits {
  return {
    isQuestion: asksQuestion(text),
    detail: findSourceOfDetail(text, facts),
    score: score ?? null,
  }
}

function findSourceOfDetail(text: string, facts: OpenerFacts): OpenerDetail {
  const named = [...contentStems(text)]
  if (named.some((stem) => facts.commonStems.has(stem))) return 'shared'
  if (named.some((stem) => facts.photoStems.has(stem))) return 'photo'
  const details = named.filter(
    (stem) => facts.stems.has(stem) && (!isPlain(stem) || facts.likeStems.has(stem)),
  )
  if (details.length === 0) return 'none'
  // An interest that the bio does not mention was seen in the photos.
  return details.some((stem) => facts.bioStems.has(stem)) ? 'bio' : 'photo'
}
