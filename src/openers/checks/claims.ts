import { contentStems, listSentences, listWords } from '../../text/words.js'
import type { OpenerFacts } from '../opener-facts.js'
import { isPlain } from './plain-words.js'

/** What one can say of oneself without telling anything: attitudes, wishes, promises. */
const HARMLESS_SELF = new RegExp(
  `^(?:${[
    "(?:i|i'd|i would|i could|i can|i do) (?:like|love|want|need|wish|hope|admire|respect|trust|bet|suspect|vote|approve|promise|imagine|see|think|almost|happily|never|really|already|still|also|can't|cannot|could|would|ask|listen|noticed|appreciate|have (?:a |one |so )?(?:question|questions|soft spot|lot|many|to|no))",
    'i (?:did not expect|said hello|keep (?:thinking|coming)|came for|sense|spotted|warn|was (?:glad|fine|doing fine)|wasn)',
    "i'm (?:(?:already |officially |quietly )?(?:a fan|jealous)|taking|asking|rooting|still smiling|on your side|fairly|impressed|curious|into|a little|so|very|jealous|ready|listening|all|sold|here|in|intrigued|glad|happy|sure|not)",
    "i'(?:ll|d)\\b",
    'i (?:can|could|will|would|must|should)\\b',
  ].join('|')})`,
)
const SELF = /\b(?:i|i['’](?:m|ve|ll|d))\b/i
const TOGETHER = /\b(?:we|we['’](?:re|ve|d|ll)|both|neither of us|our|ours|us)\b/i
const LETS = /\blet['’]s\b/i
const MY = /\b(?:my|mine|our)\b(?:\s+(?:own|first|next|whole|last|old))?\s*([\p{L}'’-]*)/giu

/**
 * Whether an opener claims what nobody said: something of the sender's own that the sender's data do not hold, or
 * something that both are said to have and that only one has.
 */
export function claimsUnknown(text: string, facts: OpenerFacts): boolean {
  const own = contentStems(facts.senderLikes.join(' . '))
  const shared = contentStems(facts.commonGround.join(' . '))
  return listSentences(text).some((sentence) => {
    if (claimsPossession(sentence, own)) return true
    const stems = [...contentStems(sentence)]
    const isTogether = TOGETHER.test(sentence) && !LETS.test(sentence)
    if (isTogether && !stems.some((stem) => shared.has(stem))) return true
    return listClauses(sentence).some((clause) => claimsOfOneself(clause, own))
  })
}

function claimsPossession(sentence: string, own: ReadonlySet<string>): boolean {
  return [...sentence.matchAll(MY)].some(
    ([, thing = '']) =>
      thing === '' || [...contentStems(thing)].some((stem) => !own.has(stem) && !isPlain(stem)),
  )
}

function claimsOfOneself(clause: string, own: ReadonlySet<string>): boolean {
  if (!SELF.test(clause)) return false
  const fromSelf = clause.slice(clause.search(SELF)).toLowerCase().replaceAll('’', "'")
  if (HARMLESS_SELF.test(fromSelf)) return false
  return ![...contentStems(fromSelf)].some((stem) => own.has(stem))
}

function listClauses(sentence: string): string[] {
  return sentence
    .split(/[,;:–—]|\b(?:and|but|so|because|while|who|that)\b/iu)
    .filter((clause) => listWords(clause).length > 1)
}
