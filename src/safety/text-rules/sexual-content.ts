import { explicitPhrases } from './explicit-phrases.js'
import { compileRules } from './phrase-rule.js'

const breaksRule = compileRules(explicitPhrases)

/** Whether a folded text is sexually explicit. */
export function findsSexualContent(text: string): boolean {
  return breaksRule(text)
}
