import { phrase, type PhraseRule } from './phrase-rule.js'

/** Hate of groups in German, French, Spanish, Portuguese and Italian. */
export const hateAbroad: readonly PhraseRule[] = [
  {
    phrase: phrase`
      (?:auslander|fluchtlinge|turken|juden|muslime|moslems|kanaken|schwule|asylanten|araber|
      zigeuner|schwarze|neger) (?:\w+ ){0,2}(?:raus|unerwunscht|nicht erwunscht|verboten|vergasen|
      abschieben|weg|nach hause|ins gas|sind (?:\w+ )?(?:dreck|abschaum|ungeziefer|parasiten|
      tiere|krank|untermenschen))`,
  },
  {
    phrase: phrase`
      (?:deutschland den deutschen|keine (?:auslander|turken|juden|muslime|araber|schwarzen|neger|
      schwulen|fluchtlinge|kanaken|moslems)|ich hasse (?:alle )?(?:auslander|turken|juden|muslime|
      araber|schwarze|schwule|fluchtlinge|kanaken)|scheiss (?:auslander|turken|juden|muslime|
      araber|kanaken|schwule|neger|moslems|asylanten)|dreckige?r? (?:jude|turke|araber|auslander|
      kanake)n?)`,
  },
  {
    phrase: phrase`
      (?:sales? (?:arabes?|noirs?|negres?|juifs?|pedes?|gouines?|immigres?|roms?|chinois|
      musulmans?|etrangers?)|pas d[e ] ?(?:arabes|noirs|juifs|musulmans|homos|trans|gays)|
      (?:les )?(?:arabes|noirs|juifs|musulmans|immigres|etrangers) (?:dehors|raus|a la porte|
      au four)|(?:retourne|rentre|rentrez)(?:[ -]toi)? dans (?:ton|votre|leur) pays|
      mort aux (?:juifs|arabes|gays|noirs|musulmans)|je (?:hais|deteste) (?:les|
      tous les) (?:arabes|noirs|juifs|musulmans|homos|immigres|gays|etrangers)|
      la france aux francais)`,
    unlessPreceded: /\bnon aux? $/,
  },
  {
    phrase: phrase`
      (?:(?:malditos?|putos?|sucios?|asquerosos?|odio a (?:los|todos los)|mueran los|
      fuera(?: los)?|muerte a los|no (?:quiero )?(?:a )?)(?: los)? ?(?:negros|moros|judios|
      gitanos|inmigrantes|maricas|maricones|sudacas|indios|gays|arabes|musulmanes|venezolanos|
      panchitos)|negros de mierda|(?:negros|moros|inmigrantes) fuera|sudacas? de mierda|
      moros? de mierda)`,
  },
  {
    phrase: phrase`
      (?:(?:odeio|morte aos|fora|malditos|nojentos) (?:os )?(?:pretos|negros|gays|viados|judeus|
      nordestinos|imigrantes|baianos|macumbeiros)|pretos? (?:nojent[oa]s?|imund[oa]s?|de merda)|
      volta pra (?:africa|senzala))`,
  },
  {
    phrase: phrase`
      (?:(?:odio (?:i|gli)|morte (?:ai|agli)|fuori (?:i|gli)|sporchi|maledetti|niente|
      schifosi) (?:negri|ebrei|zingari|immigrati|froci|gay|musulmani|arabi|stranieri|neri|terroni|
      marocchini)|(?:negri|zingari|immigrati) (?:di merda|a casa loro|al rogo|fuori)|
      torna al tuo paese)`,
  },
]
