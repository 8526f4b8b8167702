import { listSentences } from '../text/words.js'

/** Tokens of chat formats, tags and templates, which people do not write to each other. */
const CHAT_MARKUP =
  /<[|/!]|<\w+>|\|>|\[\/?[A-Z_]{3,}\]|<<|(?:start|end)_of_turn|&lt;|\{\{|\{%|[$#]\{|"""|```|#{3}/u

/** Instructions to a language model, or talk about its instructions. */
const MODEL_INSTRUCTION = new RegExp(
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
 * Removes sentences that address a language model from a bio, for prompts. A sentence removed by mistake costs an opener a
 * detail; a sentence kept by mistake can do no more than any other text of a bio (docs/safety.md).
 */
export function stripInstructions(bio: string): string {
  return listSentences(bio)
    .filter((sentence) => !CHAT_MARKUP.test(sentence) && !MODEL_INSTRUCTION.test(sentence))
    .join(' ')
}
