import { contentStems, listSentences, listWords } from '../../text/words.js'
import type { OpenerFacts } from '../opener-facts.js'
import { isPlain } from './plain-words.js'

/**
 * Beginnings of clauses in which senders state no fact about themselves: attitudes, states of mind, offers. The last
 * word matches as a prefix, so "want" covers "wanted" too, and "in" covers "interested".
 */
const HARMLESS_CLAUSES: readonly RegExp[] = [
  // Offers, wishes and possibilities: "I'll bring …", "I'd try …", "I could listen …".
  /^i'(?:ll|d)\b/,
  /^i (?:can|could|will|would|must|should)\b/,
  // Attitudes and wishes, also emphasized: "I do admire …".
  /^i (?:do )?(?:like|love|want|need|wish|hope|admire|respect|appreciate|approve|trust)/,
  // Thoughts, guesses and conversation: "I suspect …", "I bet …", "I ask …".
  /^i (?:do )?(?:think|suspect|imagine|see|bet|vote|promise|ask|listen|noticed)/,
  // Adverbs and negations before any verb: "I almost missed …", "I cannot resist …".
  /^i (?:do )?(?:almost|happily|never|really|already|still|also|can't|cannot|could|would)/,
  // "I have a question", "I have many questions", "I have a soft spot for …", "I have to ask".
  /^i (?:do )?have (?:a |one )?(?:question|soft spot|lot|many|to|no)/,
  // Reactions to the profile: "I did not expect …", "I keep coming back …", "I was glad to see …".
  /^i (?:did not expect|keep (?:thinking|coming)|came for|sense|spotted|was (?:glad|fine|doing fine)|wasn)/,
  // Ways to introduce a remark: "I said hello …", "I warn you …".
  /^i (?:said hello|warn)/,
  // Fans and envy: "I'm a fan", "I'm already jealous".
  /^i'm (?:already |officially |quietly )?(?:a fan|jealous)/,
  // Moods and opinions: "I'm impressed", "I'm sure …", "I'm not …".
  /^i'm (?:impressed|curious|intrigued|glad|happy|sure|sold|fairly|a little|so|very|all|not|still smiling)/,
  // Roles in the conversation: "I'm asking …", "I'm on your side", "I'm in".
  /^i'm (?:taking|asking|listening|rooting|ready|here|in|on your side)/,
]

const SELF = /\b(?:i|i['’](?:m|ve|ll|d))\b/i
const TOGETHER = /\b(?:we|we['’](?:re|ve|d|ll)|both|neither of us|our|ours|us)\b/i
const LETS = /\blet['’]s\b/i
const MY = /\b(?:my|mine|our)\b(?:\s+(?:own|first|next|whole|last|old))?\s*([\p{L}'’-]*)/giu

/**
 * Whether a text claims something about the sender that the sender's data does not contain, or something that both
 * people have in common but only one of them has.
 */
export function hasUnsupportedClaim(text: string, facts: OpenerFacts): boolean {
  const senderStems = contentStems(facts.senderLikes.join(' . '))
  const sharedStems = contentStems(facts.commonGround.join(' . '))
  return listSentences(text).some((sentence) => {
    if (claimsPossession(sentence, senderStems)) return true
    const stems = [...contentStems(sentence)]
    const isTogether = TOGETHER.test(sentence) && !LETS.test(sentence)
    if (isTogether && !stems.some((stem) => sharedStems.has(stem))) return true
    return listClauses(sentence).some((clause) => claimsOfSelf(clause, senderStems))
  })
}

/** "My kiln", where the sender has no kiln; also "mine" without a noun. */
function claimsPossession(sentence: string, senderStems: ReadonlySet<string>): boolean {
  return [...sentence.matchAll(MY)].some(
    ([, noun = '']) =>
      noun === '' ||
      [...contentStems(noun)].some((stem) => !senderStems.has(stem) && !isPlain(stem)),
  )
}

/** "I paint boats", where the sender's data has neither. */
function claimsOfSelf(clause: string, senderStems: ReadonlySet<string>): boolean {
  if (!SELF.test(clause)) return false
  const fromSelf = clause.slice(clause.search(SELF)).toLowerCase().replaceAll('’', "'")
  if (HARMLESS_CLAUSES.some((pattern) => pattern.test(fromSelf))) return false
  return ![...contentStems(fromSelf)].some((stem) => senderStems.has(stem))
}

function listClauses(sentence: string): string[] {
  return sentence
    .split(/[,;:–—]|\b(?:and|but|so|because|while|who|that)\b/iu)
    .filter((clause) => listWords(clause).length > 1)
}
