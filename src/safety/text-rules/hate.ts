import { hateOfGroups } from './hate-of-groups.js'
import { hateSlogans } from './hate-slogans.js'
import { GROUPS, MEMBER, WOMEN } from './hated-groups.js'
import { compileRules, expression } from './phrase-rule.js'
import { slurs } from './slurs.js'

const namesGroup = expression`\b(?:${GROUPS}|${MEMBER}|${WOMEN})\b`
const hatesGroup = compileRules(hateOfGroups)
const breaksOtherRule = compileRules([...hateSlogans, ...slurs])

/** Whether a folded text insults a group of people, shuts it out or calls for violence against it. */
export function findsHate(text: string): boolean {
  return (namesGroup.test(text) && hatesGroup(text)) || breaksOtherRule(text)
}
