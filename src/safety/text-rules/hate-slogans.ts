import { QUOTED, VILE } from './contempt.js'
import { GROUPS, MEMBER, WOMEN } from './hated-groups.js'
import { beginning, phrase, type PhraseRule } from './phrase-rule.js'

/** Slogans, creeds and exclusions, in English. */
export const hateSlogans: readonly PhraseRule[] = [
  {
    phrase: phrase`
      (?:no|not into|not interested in|not attracted to|no interest in|dont match with|nor|
      dont (?:date|want|like|match with|do)|do not (?:date|want|like)|(?:refuse to|will not|wont|
      never|cant|dont|do not) (?:date|match with|talk to|message|swipe on)|wont date|
      would never date|never date|cant stand|stay away|keep out|get out|sorry,? no) (?:any |for |
      more |the |you )?(?:${GROUPS}|(?:blacks?|asian|indian|pakistani|trans|disabled|arab|muslim|
      jew)(?= ?(?:$|[,.!;\n]|(?:please|or|and|thanks|thx|allowed|no)\b)))`,
    unlessFollowed: beginning`
      and white|fats?\b|cooking|food|holes?|cats?|dogs?|olives|rights|phobi|who |were|was|have|
      left behind`,
  },
  {
    phrase: phrase`
      (?:whites|white (?:people|men|women|guys|girls)|europeans|aryans?|straights?|christians) only`,
  },
  {
    phrase: phrase`
      (?:${GROUPS}|${WOMEN}|jewish|black|gay|muslim|trans|disabled|womens|immigrant|
      their) lives (?:are|have|mean|dont|do not|should|arent) (?:\w+ ){0,3}(?:worthless|nothing|
      worth (?:less|shit|nothing|protecting|saving)|matter|no (?:value|worth))`,
    unlessPreceded: QUOTED,
    unlessFollowed: /^ ?(?:too|as much)/,
  },
  {
    phrase: phrase`
      white (?:power|supremacy|race|genocide)|14 ?/? ?88|88 ?/ ?14|heil hitler|sieg heil|
      hitler (?:was right|did nothing wrong)|race (?:war|traitors?|mixing|mixers?)|
      blood and (?:soil|honou?r)|blut und ehre|(?:death to|destroy|ban|fuck) (?:all |
      the )?(?:islam|judaism|kuffar|infidels?)|holocaust (?:never happened|is a (?:lie|hoax)|
      was a (?:lie|hoax)|didnt happen|did not happen)|great replacement|jew(?:ish)? (?:scum|pigs?|
      rats?|vermin|question|lies|agenda)|(?:dirty|filthy|stupid|fucking|greedy|damn) (?:${GROUPS}|
      ${MEMBER}|indians?|blacks?|gypsy)|keep (?:\w+ )?white(?! (?:space|water|rabbit))|
      go back to (?:africa|mexico|india|asia|china|pakistan|your (?:own )?country|where you came)|
      rights for whites`,
    unlessPreceded: QUOTED,
    unlessFollowed: beginning`course|lesson|museum|history|survivor|studies|research|art\b|food`,
  },
  {
    phrase: phrase`
      (?:homosexuality|being gay|being trans|transgenderism|islam|judaism|interracial \w+|
      gayness) (?:is|should be|must be) (?:a |an |so |just |just a ){0,4}(?:${VILE}|sin|
      mental (?:illness|disorder)|banned|illegal|wrong|sick|curable|illness)`,
    unlessPreceded: QUOTED,
  },
  {
    phrase: phrase`
      (?:${WOMEN}|girls|bitches) (?:should|must|belong|need to|are there to|exist to|have to|
      deserve to) (?:\w+ ){0,3}(?:obey|submit|in the kitchen|know (?:their|your) place|
      be (?:beaten|raped|silent|quiet|owned|property)|shut up|serve (?:men|their|me))|
      ${WOMEN} (?:are|is) (?:\w+ ){0,2}(?:property|less intelligent|not as smart|only good for|
      for breeding)`,
    unlessPreceded: QUOTED,
  },
  {
    phrase: phrase`
      if (?:youre|you are|ur|you be) (?:an? )?(?:muslim|jewish|a jew|black|gay|trans|asian|indian|
      arab|mexican|disabled|immigrant|jew|foreign|fat and black) (?:please |then |just |
      or \w+ )?(?:get|go|leave|swipe|keep|dont|do not|move|stay|fuck|no)|trans (?:women|
      girls) are (?:men|not women|not real|not female|males?)|trans men are (?:women|not men|
      not real|females?)`,
  },
  {
    phrase: phrase`
      (?:deport|kill|gas|hang|shoot|burn) (?:them|em) all|only (?:here )?(?:for|date|dating|into|
      like|want) white (?:women|men|guys|girls|people)`,
    unlessPreceded: QUOTED,
  },
]
