import { beginning, ending, expression, phrase, type PhraseRule } from './phrase-rule.js'

const AGE = phrase`
  (?:1[0-7]|[89]|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen)`
/** What stands behind an age; "I'm 16 weeks in" and "I'm 10 minutes away" go on otherwise. */
const AGE_ENDS = phrase`
  (?= ?(?:$|[,.](?!\d)|[!?;:|)(\n*~&+•]|-(?!\d)|/(?!\d)|[^\0-\x7f]|(?:yo|y/?o|and a half|yrs?|
  years? (?:old|young)|and|but|so|btw|lol|irl|haha|xd|rn|now|tho|though|going on|turning|almost|
  not|from|looking|living|love|loves|who|just|just joined|hmu|dm|m|f|nb|girl|boy|female|male|gay|
  bi|straight|student|i|im|my|dont|single|bored|already|actually|really|this|next|til|until|uk|
  usa?|she|he|they|last|yesterday|today|in (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|
  dec))\b))`
const KIN = expression`
  \b(?:kids?|sons?|daughters?|child|children|boys|girls|twins|triplets|mum|mom|mama|dad|father|
  mother|parents?|nephews?|nieces?|siblings?|brothers?|sisters?|cousins?|dogs?|cats?|horses?|pony|
  puppy|whisky|whiskey|rum|car|van|bike|students|pupils|teach|teacher|coach|tutor|he|she|hes|shes|
  they|both|baby|toddler|stepson|stepdaughter|guardian|foster|rows?|apartment|flat|floor|suite|
  unit|bus|tram|line|chapter|size|hours?|numbers?)\b`
/** Of a past or imagined self: "since I was 12", "as if I'm 15". */
const NOT_MEANT = expression`
  (?:\b(?:like|if|when|whenever|once|think|thinks|thinking|thought|pretend|since|because|feel|say|
  says|said|until|till|assume|guess|guessed|believe|though|that|where|while|again|inside|heart) |
  \bday ?)$`
const NOT_MEANT_BEHIND = expression`
  ^ ?(?:years? old )?(?:in (?:dog|cat|spirit|my (?:head|heart|mind)|human)|at heart|inside|
  on the inside|again\b|in my)`

/** What a bio begins with before a number that is no age. */
const COUNTED = phrase`
  row|seat|flat|room|floor|chapter|page|bus|line|tram|route|gate|lane|level|size|number|unit|
  suite|studio|age|day|week|part|season|episode|area|district|platform|hole|stage|section|table|
  locker|apollo|boeing|formula|top|only|just|since|until|at|by|over|under|about|around|nearly|
  almost|zone|grade|year|channel|pier|dock|class|exit|highway`

/** Somebody says to be younger than 18. */
export const declaredAges: readonly PhraseRule[] = [
  {
    phrase: expression`
      \b(?:im|i am|ima|am|me) (?:only |just |really |actually |still |now |about |almost |nearly |
      currently |like |a |(?:fe)?male |f |m ){0,4}${AGE}\b${AGE_ENDS}`,
    unlessPreceded: NOT_MEANT,
    unlessFollowed: NOT_MEANT_BEHIND,
  },
  {
    phrase: expression`
      \b(?:just|i|only just|recently|finally) turned ${AGE}\b${AGE_ENDS}`,
    unlessPreceded: expression`
      \b(?:when|since|after|before|until|day|year|once|moment|time|because|who|that|son|daughter|
      kid|dog|cat) ?$`,
  },
  {
    phrase: phrase`
      (?:turn|turning|be|almost|nearly|til im|until im) (?:1[1-8]|eighteen|seventeen|
      sixteen) (?:in (?:\d|a |two |three |six |january|february|march|april|may|june|july|august|
      september|october|november|december|summer|spring|winter|autumn|fall|jan|feb|mar|apr|jun|
      jul|aug|sept?|oct|nov|dec)|next|soon|this (?:year|month|week|summer|spring|winter|autumn|
      fall)|on (?:the |my )?|tomorrow|later)`,
    unlessPreceded: KIN,
  },
  {
    phrase: expression`
      (?<![\w.-])${AGE} ?-?(?:yo|y/o|y\.o\.?|yrs?[ -]old|years?[ -]old|years young)\b(?= ?(?:$|
      [,.!?;|)\n/•-]|[^\0-\x7f]|(?:girl|boy|guy|female|male|f|m|here|from|looking|and|student|
      virgin|teen|in|with|hmu|dm|single|bored|gay|bi)\b))`,
    unlessPreceded: expression`
      ${KIN.source}|\b(?:an?|my|our|his|her|the|their|your|with|of|to|for|two|three|was|were|is|
      at|as|like|than|being|feels?|become|becoming|from|around|under|over|about|has|have|every|
      this|that|old|raising) $`,
  },
  { phrase: /\b1[0-7] ?[/|] ?(?:f|m|nb)\b(?! ?2)/ },
  { phrase: /(?:^|\n)1[0-7] ?f(?:emale)?\b/ },
  { phrase: /\b[fm]\/1[0-7]\/[a-z]/ },
  { phrase: /(?:^|\n)1[0-7] from [a-z]/ },
  {
    phrase: expression`
      (?:^|\n)1[0-7] ?m(?:ale)?(?: ?[,/|]| (?:from|uk|usa?|ca|looking|here|bored|hmu|dm|gay|bi|
      straight|single|4)\b)`,
  },
  {
    phrase: /(?:^|\n)(?:[fm] ?|m\/)1[0-7](?!\d|[-/.]\d)\b/,
    unlessFollowed: beginning`pilot|fighter|jet|rifle|motorway|bus|engine|falcon|eagle|carbine`,
  },
  {
    phrase: /(?:^|\n)1[0-7] ?(?:[,|•·;\n]|\.(?!\d)|\/(?!\d)|- |$|\p{Extended_Pictographic})/u,
    unlessFollowed: beginning`
      \d|(?:or|and) \d|jahrhundert|century|siecle|siglo|secolo|minutes|things`,
  },
  {
    // "Liam, 15."
    phrase: expression`
      (?:^|\n)(?!(?:${COUNTED})\b)[a-z]{2,15},? 1[0-7](?=,(?! ?\d)|\.(?! ?\d)| ?\||\n|$)`,
    unlessFollowed: /^[,.] ?(?:and )?\d/,
  },
  {
    phrase: expression`\b(?:finally|officially|newly|freshly) ${AGE}(?= ?(?:$|[,.!?;\n]))`,
    unlessPreceded: KIN,
  },
  { phrase: /\n?(?:🎂|🎈) ?1[0-7]\b/u },
  {
    phrase: phrase`
      (?:real |actual |true )?aged? ?(?:is|:|=|-)? ?(?:actually |really |only )?1[0-7]`,
    unlessPreceded: ending`
      since|at|from|by|mental|the|around|of|shoe|reading|until|till|to|before|after|average|
      bronze|stone|ice|kids?|children|boys?|girls?|students?|twins?|for|between|(?:son|
      daughter)s?,?|pupils`,
    unlessFollowed: beginning`[-–+]|to \d|and \d|years (?:in|in oak)`,
  },
  { phrase: phrase`1[0-7] (?:irl|in real life|for real|in reality|in truth|tbh)` },
  {
    phrase: phrase`
      (?:says?|profile|app|age|set to|put|here)\b[^.!?\n]{0,30}\bbut (?:im |i am )?(?:really |
      actually |only ){0,2}${AGE}`,
    unlessFollowed: beginning`minutes|km|miles|hours|weeks|months|years (?!old)`,
  },
  {
    phrase: phrase`
      only ${AGE} (?:but (?:mature|very|i\b|act|look|im)|yo\b|so be nice|dont tell|years old)`,
    unlessPreceded: expression`${KIN.source}|\b(?:was|were|is|its) $`,
  },
  {
    phrase: phrase`
      (?:im|i am|still|technically|yes im|legally) (?:still |technically |legally |
      actually )?(?:a minor|underage|under age|under 18|below 18|not (?:yet )?18|not 18 yet|
      a child|a schoolgirl|a schoolboy|a teen|a teenager)(?= ?(?:$|[,.!?;|)\n]|(?:and|but|so|lol|
      btw|girl|boy|from|looking|yes|sorry)\b))`,
    unlessPreceded: NOT_MEANT,
    unlessFollowed: /^ ?(?:and )?(?:at heart|inside|in my)/,
  },
  {
    phrase: expression`
      (?:^|[.,!;\n] ?)(?:still )?(?:not (?:yet )?18(?: yet)?|under ?age|
      a minor)\b(?! (?:any ?more|and (?:up|over)))`,
    unlessPreceded: /\b(?:if|no) /,
    unlessFollowed: beginning`swipe|dont|do not|please|league|key|chord|not|is not|isnt|drinking`,
  },
  { phrase: /(?:^|\n)[a-z]{2,15} ?[/|•·] ?1[0-7]\b(?! ?[/|•·] ?\d)/ },
  {
    phrase: phrase`sweet (?:16|sixteen) (?:next|soon|is|in|coming|party is|this)`,
    unlessPreceded: KIN,
  },
  {
    // A clause of its own: "…, 16, …", "(15)", "14."
    phrase: expression`
      (?<=^|[,.;|(!?\n•·] ?)(?:1[0-7]|thirteen|fourteen|fifteen|sixteen|
      seventeen)(?: and a half)? ?(?=$|[,;|)!?\n•·](?! ?\d)|\.(?!\d))`,
    unlessPreceded: expression`${KIN.source}|\d[a-z]*[,;]? ?(?:and )?$|\b(?:${COUNTED})\b[^,]*$`,
    unlessFollowed: /^[,;|/)] ?(?:and )?\d/,
  },
  { phrase: /(?:^|[,.;|(\n] ?)1[0-7](?:f\b|m(?=[,.)!]|$))/ },
  {
    phrase: phrase`
      too young (?:for|to be on) (?:this|the|these) (?:app|site|apps)|(?:almost|nearly|barely|
      not yet) legal|legal in (?:an?|one|two|three|few|\d+) (?:years?|months?|weeks?|days?)`,
  },
  {
    phrase: /(?:^|\n)1[0-7] ?y\/?o\b/,
    unlessFollowed: beginning`
      whisk|rum|dog|cat|son|daughter|car|van|bike|volvo|twins|port|cheddar|goat|horse|pony|parrot|
      tortoise`,
  },
]
