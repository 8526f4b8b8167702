import { beginning, compileRules, ending, expression, phrase } from './phrase-rule.js'

const AGAINST = expression`
  \b(?:dont|do not|never|not|no one should|please dont|nobody should|stop|prevent|against|nearly|
  almost) (?:\w+ )?$`

const breaksRule = compileRules([
  {
    phrase: phrase`
      (?:someone|somebody|anyone|a partner|a friend|people|girl|guy|you) (?:\w+ )?to (?:die|
      end it|kill myself|self ?-?harm|starve) (?:with|together)|lets (?:die|end it) together|
      no reason to live|tired of (?:living|being alive)|(?:dont|do not) want to (?:live|be alive|
      exist|wake up) (?:any ?more|another)|wont be here (?:much longer|tomorrow)`,
    unlessPreceded: /\b(?:never|used) (?:\w+ ){0,2}$/,
  },
  {
    phrase: phrase`
      (?:kys|kill ?your ?sel(?:f|ves)|kill ur ?self|off yourself|neck yourself|unalive yourself|
      hang yourself|shoot yourself|drown yourself|go (?:and )?(?:die|hang|jump off)|(?:drink|chug|
      swallow) (?:some )?bleach|end your(?:self| life)|take your (?:own )?life|
      slit your (?:own )?wrists|(?:go|just|should|please|and) jump off a (?:bridge|cliff|roof|
      building)|end yourself|rope yourself)`,
    unlessPreceded: AGAINST,
    unlessFollowed: beginning`laughing|into|in the foot|trying|for|and (?:skydive|paraglide)`,
  },
  {
    phrase: phrase`
      (?:you|u|everyone like you|people like you) (?:should|could|better|need to|ought to|
      might as well) (?:just |really |all |please ){0,4}(?:die|end it|kill yourself|not be alive|
      do it and jump|jump)`,
  },
  {
    phrase: phrase`
      (?:nobody|no one|noone|no ?body) (?:would|will|ll|is going to|is gonna) (?:even )?(?:miss|
      mourn|care about) (?:you|u)`,
    unlessPreceded: AGAINST,
  },
  {
    phrase: phrase`
      (?:better off dead|world (?:is|would be) (?:a )?better (?:off |place )?without you)`,
  },
  {
    phrase: phrase`
      (?:pro ?-?(?:ana|mia|suicide|self ?-?harm)|(?:ana|mia) (?:buddy|buddies|coach|tips|girls)|
      thinspo|thinspiration|bonespo|meanspo|ed ?twt|starve (?:yourself|with me|together)|
      purge (?:with me|together|buddy))`,
    unlessPreceded: /\b(?:no|anti|ex|against|report|recovered) ?-?(?:from )?$/,
  },
  {
    phrase: phrase`
      (?:(?:cutting|self ?-?harm(?:ing)?|burning myself|cutting myself|suicide) (?:is|feels|
      makes me feel|helps|can be|seems) (?:\w+ )?(?:good|great|beautiful|amazing|calm|cool|fun|
      art|the answer|the only way|hot|better|alive)|try (?:cutting|self ?-?harm)|cut (?:yourself|
      urself|with me|your wrists|your arms)|shtwt|suicide pact|suicide (?:partner|buddy|method)s?)`,
    unlessPreceded: AGAINST,
    unlessFollowed: /^ ?(?:some|a|off)/,
  },
  {
    phrase: phrase`
      (?:want|wants|wanted|going|gonna|plan|planning|about|ready|try|trying|help me|wanna|
      wish i could|thinking about|decided) (?:to )?(?:kill(?:ing)? myself|end(?:ing)? (?:my|
      our) li(?:fe|ves)|end(?:ing)? it all|commit(?:ting)? suicide|tak(?:e|ing) my (?:own )?life|
      unalive myself|die together)`,
    unlessPreceded: /\b(?:never|dont|used|longer|not|once|stopped|survived) (?:\w+ )?$/,
    unlessFollowed: /^ ?(?:laughing|with (?:laughter|work))/,
  },
  {
    phrase: phrase`
      (?:(?<!ich )bring dich (?:doch |einfach |bitte |selbst ){0,4}um|hang dich (?:doch )?auf|
      geh (?:doch )?sterben|spring (?:doch )?vom (?:dach|hochhaus)|ritz dich)`,
  },
  {
    phrase: phrase`
      (?:suicide[ -]toi|tue[ -]toi|va (?:te pendre|crever|mourir)|pends[ -]toi|creve tout seul)`,
  },
  { phrase: phrase`(?:matate|suicidate|cuelgate|cortate las venas|ahorcate)` },
  {
    phrase: phrase`
      (?:se mata(?: logo)?|se mate|vai se matar|te mata logo|se enforca|corta os pulsos)`,
    unlessPreceded: ending`que|como|ele|ela|nao|quase|quem`,
    unlessFollowed: beginning`de (?:rir|trabalhar)|trabalhando`,
  },
  {
    phrase: phrase`
      (?:ammazzati|ucciditi|suicidati|impiccati|buttati (?:giu|dal|sotto))`,
    unlessPreceded: /\b(?:siamo|sono|siete|fossero|stati) $/,
  },
  {
    phrase: phrase`
      why (?:dont|not) you (?:just )?(?:die|kill yourself|jump|end it)|
      i (?:\w+ )?cut (?:my (?:arms?|wrists?|legs?|thighs?)|to feel|to cope)|(?:hope|
      wish) (?:that )?(?:you|u|they|she|he) (?:would |just )?(?:die|dies|kill yourself|drop dead)|
      (?:ana|mia|ed) coach`,
    unlessPreceded: /\b(?:never|dont) $/,
  },
  {
    phrase: phrase`(?:im|i am|feeling|feel|really) suicidal|(?:cutting|self ?-?harm(?:ing)?) helps`,
    unlessPreceded: /\b(?:was|not|never|used to) (?:\w+ )?$/,
    unlessFollowed: beginning`tendencies`,
  },
])

/** Whether a folded text encourages somebody to hurt themselves, or says the writer is about to. */
export function findsSelfHarm(text: string): boolean {
  return breaksRule(text)
}
