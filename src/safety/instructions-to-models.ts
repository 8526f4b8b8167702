import { listSentences } from '../text/words.js'

/** Tokens of chat formats, tags and templates: what no person writes to another. */
const MARKUP =
  /<[|/!]|<\w+>|\|>|\[\/?[A-Z_]{3,}\]|<<|(?:start|end)_of_turn|&lt;|\{\{|\{%|[$#]\{|"""|```|#{3}/u

/** What is said to a program that writes, or about its instructions. */
const SAID_TO_A_MODEL = new RegExp(
  [
    /(?:^\W*|\b(?:and|now|please|must) )(?:ignore|disregard|forget|override) (?:\w+ ){1,4}(?:instructions?|rules?|prompts?|above)\b/,
    /\b(?:system ?prompts?|language models?|system message|the assistant|debug mode|developer mode)\b/,
    /^\W*(?:system|assistant|user|instructions?|response|output|prompt|style|tone|sender|recipient)\s*:/,
    /\b(?:reply|answer|respond|write|output|say|print|repeat|return) (?:\w+ ){0,3}(?:(?:only|just) (?:in|with|the)|nothing but|in json|in (?:french|german|spanish|italian|portuguese|dutch)|word for word)\b/,
    /\b(?:write|address|send|dedicate) (?:it|this|that|the \w+|your \w+) to \w+ (?:instead|in every|not)\b/,
    /\byou are now\b|\bfrom now on,? (?:you|write|answer|reply|respond)\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'iu',
)

/**
 * A bio without the sentences that speak to a machine instead of a reader, for prompts. What is left out by mistake costs
 * an opener a detail; what stays by mistake still cannot do more than any other text of a bio (docs/safety.md).
 */
export function withoutInstructions(bio: string): string {
  return listSentences(bio)
    .filter((sentence) => !MARKUP.test(sentence) && !SAID_TO_A_MODEL.test(sentence))
    .join(' ')
}
