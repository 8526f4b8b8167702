import { beginning, compileRules, phrase } from './phrase-rule.js'

const isSuggestive = compileRules([
  {
    phrase: phrase`
      (?:sex|sexual|sexually|sexier|foreplay|aroused|erotic|naked|nude|nudes|seduce|horny|kinky|
      booty|panties|lingerie|undress(?:ing)? (?:you|me)|get undressed|strip for|porn)`,
    unlessFollowed: beginning`mole|and the city|education|pistols|gun`,
  },
  {
    phrase: phrase`
      (?:(?:my|your|in|into) bed with (?:me|you)|(?:come|get|crawl) (?:to|into) (?:my )?bed|
      share a bed|spend the night|make ?out|making out|hook ?up|hooking up|one night stand|
      friends with benefits|netflix and chill|turn(?:s|ed)? (?:me|you) on|take (?:it|
      your clothes) off|wake up next to|between (?:the|your|my) (?:sheets|legs|thighs))`,
  },
  {
    phrase: phrase`
      (?:kiss (?:you|me)|my lips|your lips|touch you|cuddle (?:you|with you|me)|spank|
      daddy issues|call me daddy)`,
  },
])

/** Whether a folded text is too suggestive for a message to a stranger, although a bio may say it. */
export function findsInnuendo(text: string): boolean {
  return isSuggestive(text)
}
