import { anyOf, beginning, expression, phrase, type PhraseRule } from './phrase-rule.js'
import { REFUSED, TURNED_AWAY } from './negations.js'

const PARTS = phrase`(?:dick|cock|pussy|ass|tits|boobs|balls|clit|vagina|penis|nipples)`
const WANTED = phrase`
  (?:want|wants|wanna|need|love|loves|like|likes|enjoy|crave|craving|looking (?:for|4)|seeking|
  here (?:for|4)|down for|up for|into|searching for|only|just|after|addicted to|wild|rough|hot|
  casual|kinky|great|good|free|anal|oral|group|unprotected|raw|no strings|nsa|daily|dirty|have)`

/** What a person wants done, shown or sent, too explicit for any profile. */
export const explicitPhrases: readonly PhraseRule[] = [
  {
    phrase: phrase`
      ${WANTED} (?:some |to have |having |your |more |lots of |a lot of )?(?:sex|intercourse|
      fucking)`,
    unlessPreceded: REFUSED,
    unlessFollowed: beginning`
      and the city|education|ed\b|educator|pistols|workers?|positivity|positive|therap|
      discrimination|jokes?|talk show|scenes?`,
  },
  {
    phrase: phrase`
      sex (?:tonight|now|today|daily|partners?|budd(?:y|ies)|slaves?|toys?|tapes?|chat|cam|only|
      addict|drive|dates?|on the first date|without|with (?:me|you|strangers|no)|all (?:day|
      night)|friend)`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`(?:sexting|sext me|sexts?|cyber ?sex|phone ?sex|cam ?sex)`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      (?:send|swap|trade|trading|exchange|want|show|post|dm|share|sharing|love|like|wanna see|
      receive|collect|collecting) (?:me )?(?:your |ur |my |some |more |hot |all |
      the ){0,4}(?:nudes?|nudies|lewds?|noods?|nsfw|dick ?pics?|naked (?:pics?|pictures|photos|
      selfies)|dick|cock|pussy|ass|tits|boobs)`,
    unlessPreceded: REFUSED,
    unlessFollowed: TURNED_AWAY,
  },
  {
    phrase: phrase`
      (?:dick|cock|pussy|ass|tit|nude|naked) ?(?:pics?|pictures|photos|selfies|
      vids?)(?: (?:please|pls|welcome|for|on request|in|ready|exchange|available))`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      (?:so |always |super |very |really |im |am |feeling |fucking |too )?horny`,
    unlessPreceded: REFUSED,
    unlessFollowed: beginning`toads?|goats?|lizards?|owls?|frogs?|beetles?`,
  },
  {
    phrase: phrase`
      (?:dtf|down to fuck|fwb fuck|fuck ?budd(?:y|ies)|fuck ?(?:boys?|girls?|friends?|
      dates?) (?:wanted|welcome|apply)|sex ?worker near)`,
  },
  {
    phrase: phrase`
      (?:to|wanna|gonna|lets|will|can|ill|please|pls|and|want you to|here (?:to|for)|
      looking for a) (?:fuck|bang|smash|raw|breed|hump|finger|rail)(?: (?:you|me|u|her|him|
      someone|somebody|tonight|now|around|hard|strangers?|like|all night|daddy|girls?|guys?|women|
      men)|(?=$|[,.!?;\n]))`,
    unlessPreceded: REFUSED,
    unlessFollowed: /^ (?:around and find out|up\b|off\b)/,
  },
  {
    phrase: phrase`
      fuck (?:me|you) (?:hard|raw|all|tonight|now|daddy|like|senseless|silly|please|good)`,
  },
  {
    phrase: phrase`
      (?:suck|lick|eat|ride|taste|spank|fondle|grope|worship|play with|touch|choke on|jerk|stroke|
      rub) (?:on )?(?:my|your|ur|me|his|her|a|that|some|this) (?:\w+ )?${PARTS}`,
  },
  {
    phrase: phrase`
      (?:suck|eat|lick|ride|spank) (?:me|you|u) (?:out|off|dry|all over|hard|like)`,
    unlessFollowed: /^ (?:of house)/,
  },
  { phrase: phrase`(?:sit|ride|squat|bounce) on (?:my|your|ur) (?:face|dick|cock|lap)` },
  {
    phrase: phrase`
      (?:big|huge|thick|hung|long|massive|fat|hard|nine inch|\d{1,2} inch|
      \d{1,2}in) (?:\w+ )?(?:dick|cock|schlong)(?!-a)`,
  },
  {
    phrase: phrase`(?:my|ur|your) (?:dick|cock|pussy|penis|clit|tits)(?! van)`,
    unlessFollowed: /^ (?:cat|cats|willow)/,
  },
  {
    phrase: phrase`
      (?:i|ill|will|to|can|that) giv(?:e|es|ing) (?:\w+ )?(?:head|oral|blowies)`,
    unlessFollowed: beginning`scratch|massage|pats|start|count|rubs`,
  },
  {
    phrase: phrase`
      (?:get|getting|got|gets|be) (?:laid|dicked|railed|banged|pegged|creampied)`,
    unlessPreceded: REFUSED,
    unlessFollowed: /^ (?:off|back|out|up|to rest)/,
  },
  {
    phrase: phrase`
      (?:make|making) (?:you|me|u|her|him|them) (?:cum|squirt|moan|orgasm|wet|beg)`,
    unlessFollowed: /^ for (?:pizza|tacos|seconds|mercy|more pasta)/,
  },
  {
    phrase: phrase`
      (?:cum (?:over|on|in|inside|for|all over|dump|guzzler|swallow\w*)|my cum|your cum|hot cum|
      swallow cum)`,
  },
  {
    phrase: phrase`
      (?:want|wanna|need|get|see|have|like|love|prefer) (?:you|u|ya|women|men|girls|
      guys) (?:all )?(?:naked|nude|undressed|bent over|on your knees|tied up)`,
  },
  { phrase: phrase`(?:tits|boobs|ass|nudes) or (?:gtfo|leave|bye|swipe)` },
  {
    phrase: phrase`
      (?:watch(?:ing)?|love|into|addicted to|make|making|star in|shoot) (?:some |my |hardcore |
      your )?porn|porn (?:addict|star|lover|collector|with me|together|habit)`,
    unlessPreceded: REFUSED,
    unlessFollowed: beginning`martini`,
  },
  {
    phrase: phrase`
      (?:want|looking (?:for|4)|need|love|into|seeking|join|have|fancy|up for|down for|
      here for) (?:an? |some )?(?:mmf|ffm|mfm|threesomes?|foursomes?|group sex|gang ?bangs?|orgy)`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      (?:i squirt|squirter|im (?:so )?wet|wet for you|hard for you|getting hard|
      bareback(?:ing)? (?:only|me|sex|top|bottom)|breed me|use me like|cum ?slut|fuck ?toy|
      fuck ?meat|cock ?slut|your (?:personal )?(?:slut|whore|sex slave))`,
  },
  { phrase: phrase`(?:69|sixty nine) (?:with )?(?:me|you|us|position|tonight)` },
  {
    phrase: phrase`nudes`,
    unlessPreceded: expression`
      ${REFUSED.source}|\b(?:paint\w*|draw\w*|sketch\w*|sculpt\w*|art|klimts?|schieles?|
      renaissance|museum|life|lipstick|lips?|nails?|shades?|wears?|colou?rs?|beige|browns|
      pinks)\b[^.!?\n]*$`,
    unlessFollowed: anyOf(TURNED_AWAY, /\b(?:paint|lipstick|palette|museum|art|nails|class)/),
  },
  {
    phrase: phrase`
      (?:send|swap|trade|trading|exchange|want|wanna|share|sharing|into|love|up for|down for|
      like) (?:some |your |my |the )?(?:dirty|naughty|nude|sexy|spicy|lewd|filthy|
      steamy) (?:pics?|photos?|pictures?|vids?|videos?|selfies|talk|chat|texts?|messages|calls?)`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      my tongue (?:will|can|is|on|in|between|inside|knows)|(?:make|have|leave|get) (?:you|her|him|
      ya) (?:scream|screaming|moan|moaning|squirt|squirting|dripping|wet|trembling|shaking|
      breathless)(?! (?:at|with laughter|over|when))|(?:go|going) down on (?:you|me|her|him)|
      (?:bj|blowie|handie|quickie)s?(?: (?:please|wanted|lover|queen|king|daily|for)|(?= ?(?:$|
      [,.!?])))|between (?:your|my) (?:legs|thighs)|on (?:your|my) (?:face|knees|back) (?:begging|
      all night|naked)|(?:bend|tie) (?:you|me) (?:over|up)`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      (?:up for|down for|into|love|like|want|looking (?:for|4)|who wants|anyone for|anyone up for|
      lets try|try|need|give|giving|receive|only) (?:some |a |an )?(?:anal|oral|head|rough|
      bareback|69|bjs?|dogging|pegging|rimming|fisting|cuckolding|swinging|wife swap|creampies?|
      golden showers|deep ?throat)(?= ?(?:$|[,.!?;]|(?:and|or|tonight|now|play|sex|fun)\b))`,
    unlessPreceded: REFUSED,
    unlessFollowed: beginning`history|hygiene|b\b|tradition|exam|start`,
  },
  {
    phrase: phrase`
      (?:get|go|drop|down) (?:down )?on your knees|(?:destroy|wreck|ruin|dominate|rail|pound|
      breed|use) me (?:in bed|tonight|hard|daddy|sexually|like a)|(?:your|ur) (?:mouth|hole|holes|
      throat) (?:on|around|is mine|wide open|for my)|open your mouth and|(?:good|best|great|
      amazing|skilled|rough|wild|freak) in (?:bed|the sheets)|queen of (?:head|oral|anal)`,
    unlessPreceded: REFUSED,
    unlessFollowed: beginning`
      (?:and )?(?:pray|propos|garden|weed|beg for tacos)|with a book|by ten|by nine`,
  },
  {
    phrase: phrase`
      (?:lick|kiss|taste|explore|worship) every (?:inch|part|bit)|(?:need|needs|want|wants|crave|
      craving|give me|here for|take|hungry for) (?:some |that |more |good |your )?(?:dick|cock|
      pussy|tits)(?= ?(?:$|[,.!?;]|(?:now|tonight|and|in|asap)\b))|wet and (?:waiting|ready|horny|
      willing)|(?:dd+|[d-k]{2,3} ?cup|big|huge|massive|fake|perky|bouncy|juicy) (?:tits|titties|
      boobs)|last (?:longer|more|over|at least|all night|\d+) (?:\w+ ){0,4}in bed`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      (?:hung|thick|packing|hard),? \d{1,2} ?(?:inch(?:es)?|in)|\d{1,2} ?inch(?:es)? (?:hung|cut|
      uncut|thick|of (?:fun|dick|meat|pleasure))|fuck(?:ed|ing)? (?:hard|rough|raw|senseless|
      silly|all night)|(?:being|getting|be|get) (?:fucked|railed|choked and|spanked and)`,
    unlessPreceded: REFUSED,
  },
]
