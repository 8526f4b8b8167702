import { foldText } from './text-rules/folded-text.js'
import { beginning, compileRules, ending, expression, phrase } from './text-rules/phrase-rule.js'

/** Always praise of looks when said of a person. */
const GORGEOUS = phrase`
  (?:gorgeous|handsome|stunning|attractive|good ?-?looking|photogenic|ravishing|irresistible|
  drop ?-?dead|smoking hot)`
/** Praise of looks only at the end of a clause: "you're pretty", but not "you're pretty good at …". */
const PRETTY = phrase`
  (?:beautiful|adorable|breathtaking|hot|cute|cutest|hottest|prettiest|pretty|lovely|bonny)`
const ATTRACTIVE = `(?:${GORGEOUS}|${PRETTY})`
const VERY = phrase`
  (?:so |very |really |absolutely |pretty |quite |just |both |even |all |too |rather |always |
  incredibly |damn |this |that ){0,3}`
const CLAUSE_ENDS = phrase`
  (?= ?(?:$|[,.!?;:)\n]|(?:in|with|when|and|but|today|there|here|enough|together|i|as|next|beside|
  behind|under|all|it|than)\b))`
const WHOSE = '(?:your|ur|her|his|their)'
const PRAISE = phrase`
  (?:gorgeous|beautiful|handsome|stunning|lovely|pretty|cute|perfect|amazing|incredible|nice|great|
  dreamy|radiant|warm|bright|big|long|curly|wavy|blue|green|brown|dark|blond|blonde|red|kind|killer|
  striking|piercing|soft|strong|toned|muscular|broad|winning|infectious|dazzling|charming|sweet|
  chiselled|chiseled|athletic|sexy|fine)`
/** Parts of the body that rarely mean anything else. */
const BODY = phrase`
  (?:smiles?|body|bodies|figure|curves|abs|butt|bum|booty|legs|thighs|lips|dimples|freckles|
  cheekbones|jawline|physique|skin|complexion|biceps|muscles|beauty|hotness|attractiveness|
  eyelashes|good looks|looks(?= ?(?:$|[,.!?;]|(?:and|or|are|alone|could)\b)))`
/** Parts of the body that also occur in sayings ("keep your eyes open"): only praise or a statement matches. */
const FEATURE = phrase`
  (?:eyes|hair|faces?|beard|moustache|mustache|curls|shoulders|chest|hips|arms|nose|features)`

const praisesLooks = compileRules([
  {
    phrase: phrase`
      (?:you|u|you both|you two|they|he|she|both|both of you) (?:are|r|look|looked|looks|seem|were|
      is) ${VERY}(?:${GORGEOUS}|${PRETTY}${CLAUSE_ENDS})`,
    unlessPreceded: ending`
      things|what|where|how|everything|behind|around|beside|near|with|(?:(?<!both )of)|to|for|
      from|by|about|on`,
    unlessFollowed: beginning`offers?|prices?`,
  },
  {
    phrase: phrase`
      (?:youre|ur|theyre|shes|hes|looking|are you(?: both| two)?) ${VERY}(?:${GORGEOUS}|
      ${PRETTY}${CLAUSE_ENDS})`,
  },
  {
    phrase: phrase`
      (?:you|youre|you both|they both) (?:look|looked|looking) ${VERY}(?:good|great|amazing|
      incredible|fantastic|fit|fine|nice|wonderful|perfect|stylish) (?:in (?:that|those|this|
      these|your|a|red|black|blue|white|green|uniform|the (?:dress|suit|photo|picture))|
      with (?:that|your) (?:hair|beard|hat)|on (?:camera|film))`,
  },
  { phrase: phrase`(?:you|youre) (?:look|looking) ${VERY}fit(?= ?(?:$|[,.!?]))` },
  {
    phrase: phrase`
      (?:looks?|looked) ${VERY}(?:good|great|amazing|beautiful|gorgeous|hot|lovely|stunning|
      perfect|better) on you|(?:dress|hat|shirt|colou?r|jacket|glasses|haircut|beard|outfit|
      jumper|sweater|coat|scarf|uniform|suit|red|lipstick) (?:really )?(?:suits|hugs) you`,
  },
  {
    phrase: phrase`
      (?:you|youre|your|ur|hey|hi|hello|hiya|morning|evening|damn),? (?:there,? )?(?:a |an |
      such a |quite the |one |my |are a |are such a |little ){0,3}(?:gorgeous|beautiful|handsome|
      sexy|hottie|cutie|cutie pie|babe|stunner|hunk|bombshell|heartthrob|knockout|eye candy|
      good ?-?looking|hot stuff|goddess|dreamboat)(?= ?(?:$|[,.!?;:)]|[^\0-\x7f]))`,
  },
  { phrase: /^(?:babe|baby|sexy|hottie|cutie),/ },
  {
    phrase: phrase`${WHOSE} (?:\w+ly )?(?:${PRAISE},? (?:and )?){0,2}${BODY}`,
    unlessPreceded: ending`rest|stretch|move`,
  },
  { phrase: phrase`${WHOSE} (?:\w+ly )?(?:${PRAISE},? (?:and )?){1,2}${FEATURE}` },
  {
    phrase: phrase`
      your ${FEATURE} (?:(?:is|are|looks?) (?:\w+ ){0,3}(?:${ATTRACTIVE}|${PRAISE}|the (?:same|
      colou?r))|could|sparkles?|lights?|shines?|speaks?|caught|catch(?:es)?|glows?|drew|stopped)`,
  },
  {
    phrase: phrase`
      (?:love|like|adore|admire|dig|into|fan of|stare at|staring at|gaze (?:at|into)|look into|
      lost in|kiss) your (?:\w+ )?${FEATURE}`,
  },
  {
    phrase: phrase`
      (?:that|the|this|an?|such a|those|with) (?:${PRAISE} ){0,2}(?:smile|eyes|legs|body|face|
      lips|hair|curves|abs|figure|jawline|dimples) (?:of yours|like (?:yours|hers|his)|
      in your (?:photos?|pictures?)|on you|you have|youve got)|with an? smile like that|
      what an? (?:${PRAISE} )?(?:body|smile|figure)`,
  },
  // Praise without a possessive: "Nice legs, …"
  {
    phrase: expression`
      (?:^|[.!?,] )${PRAISE} (?:legs|smile|body|eyes|hair|lips|figure|abs|dimples|curves|face)\b`,
  },
  {
    phrase: phrase`
      (?:${ATTRACTIVE}|sexy|striking|curvy) (?:woman|women|girls?|lady|ladies|man|men|guys?|
      persons?|people|couple|faces?|smiles?|body|bodies|legs|lips|human|chick|dude|blonde|
      brunette|redhead|someone|stranger)`,
    unlessFollowed: /^-/,
  },
  {
    phrase: phrase`
      sexy|sexiest|sexiness|easy on the eyes?|eye candy|good looks|turn(?:s|ing)? heads|
      physical(?:ly)? (?:attract\w*|appearance|beauty|chemistry)|attracted to (?:you|each other)|
      find (?:you|each other|one another) (?:\w+ )?attractive|you (?:\w+ )?caught my eye|
      youre an? (?:10|ten|dime)|(?:be|are|youre) an? (?:\w+ )?(?:fashion |super)?model|how (?:hot|
      gorgeous|beautiful|pretty|cute|handsome|attractive) (?:you|they|he|she|both)|(?:hot|
      gorgeous|beautiful|pretty|handsome|cute) like you|as (?:gorgeous|beautiful|hot|pretty|
      handsome|cute|stunning) as you|(?:even|youre|you are|you look) more (?:gorgeous|beautiful|
      attractive|handsome)|beauty and brains|(?:both|equally) (?:so )?${GORGEOUS}|the (?:cutest|
      prettiest|nicest|best|most beautiful|kindest) (?:${BODY}|eyes|hair|face)`,
  },
])

/**
 * Whether a generated text comments on somebody's looks or body. Praise of things ("a beautiful temple", "hot chocolate")
 * does not count.
 */
export function commentsOnLooks(text: string): boolean {
  return praisesLooks(foldText(text).plain)
}
