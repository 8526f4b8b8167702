import { explicitPhrasesAbroad } from './explicit-phrases-abroad.js'
import { explicitPhrases } from './explicit-phrases.js'
import { compileRules } from './phrase-rule.js'

const breaksRule = compileRules([...explicitPhrases, ...explicitPhrasesAbroad])

/** Whether a folded text is sexually explicit. */
export function findsSexualContent(text: string): boolean {
  return breaksRule(text)
}
