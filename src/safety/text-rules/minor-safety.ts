import { declaredAges } from './declared-ages.js'
import { declaredPupils } from './declared-pupils.js'
import { compileRules } from './phrase-rule.js'
import { soughtMinors } from './sought-minors.js'

const breaksRule = compileRules([...declaredAges, ...declaredPupils, ...soughtMinors])

/** Whether somebody in a folded text says to be a minor, asks for minors or sexualises them. */
export function findsMinorRisk(text: string): boolean {
  return breaksRule(text)
}
