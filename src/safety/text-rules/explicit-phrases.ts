import { beginning, phrase, type PhraseRule } from './phrase-rule.js'
import { REFUSED, TURNED_AWAY } from './refusals.js'

const PARTS = phrase`(?:dick|cock|pussy|ass|tits|boobs|balls|clit|vagina|penis|nipples)`
const WANTED = phrase`
  (?:want|wants|wanna|need|love|loves|like|likes|enjoy|crave|craving|looking (?:for|4)|seeking|here for|
  down for|up for|into|searching for|only|just|after|addicted to|wild|rough|hot|casual|kinky|
  great|good|free|anal|oral|group|unprotected|raw|no strings|nsa|daily|dirty|have)`

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
      \d{1,2}in) (?:\w+ )?(?:dick|cock|schlong)`,
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
      (?:cum (?:on|in|inside|for|all over|dump|guzzler|swallow\w*)|my cum|your cum|hot cum|
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
      (?:want|looking (?:for|4)|need|love|into|seeking|join|have|fancy|up for) (?:an? |some )?(?:mmf|ffm|mfm|
      threesomes?|foursomes?|group sex|gang ?bangs?|orgy)`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      (?:i squirt|squirter|im (?:so )?wet|wet for you|hard for you|getting hard|
      bareback(?:ing)? (?:only|me|sex|top|bottom)|breed me|use me like|cum ?slut|fuck ?toy|
      fuck ?meat|cock ?slut|your (?:personal )?(?:slut|whore|sex slave))`,
  },
  { phrase: phrase`(?:69|sixty nine) (?:with )?(?:me|you|us|position|tonight)` },
]
