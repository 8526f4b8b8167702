import { anyOf, beginning, expression, phrase, type PhraseRule } from './phrase-rule.js'

const CARE = expression`
  \b(?:teach|teaches|teaching|teacher|coach|coaches|coaching|train|tutor|tutoring|mentor|work|
  working|volunteer|help|helping|protect|support|nurse|counsell?or|therapist|lawyer|police|
  detective|investigate|investigator|social|charity|against|stop|prevent|prevention|report|
  survivor|mum|mom|dad|u1\d|raising|adopt|foster)\b[^,]*$|\b(?:my|our|no|not|never|dont|isnt|
  if youre|if you are|nothing)(?: \w+){0,3} ?$`
const OTHER_MINORS = beginning`
  league|keys?|chords?|scales?|characters?|details?|roles?|celebrit|inconvenien|football|soccer|
  rugby|hockey|team|fiction|novels|books|movies|drama|comedy|in (?:stem|sport|science|need|care)|
  titans?|lit|surger|arcana`
const TURNED_DOWN = expression`
  ^[^.!?\n]{0,30}\b(?:not (?:ok|okay|welcome|allowed)|swipe left|(?:dont|do not) (?:message|dm|
  text|add|contact|bother|even|talk|match|swipe)|block|report|go away|leave|blocked|stay away|
  jail|prison)\b`
const UNDER_18 = phrase`
  (?:under ?-?(?:18|17|16|15|14|eighteen|seventeen|sixteen|fifteen|fourteen)s?|below (?:18|
  eighteen)|younger than (?:18|eighteen)|u18s?|under ?-?aged?)`
const MINOR = phrase`
  (?:minors|${UNDER_18}|jail ?bait|pre ?-?teens?|school ?-?girls?|school ?-?boys?|
  little (?:girls?|boys?)|(?:very |really )?young (?:girls?|boys?|teens?)|lolis?|lolicon|shotas?|
  shotacon|teen(?:age|aged)? ?(?:girls?|boys?)|teen(?:age)? ?(?:girl|boy)friends?|teenagers|
  highschoolers|high ?schoolers|tweens?|1[0-7] ?-?(?:yo|year ?-?olds?|yr ?-?olds?)s?)`
const EXPLICIT = phrase`
  (?:sex|sexy|sexual|sexually|sexting|nudes?|naked|porn\w*|horny|fuck\w*|hook ?ups?|fetish|
  erotic\w*|molest\w*|rape\w*|turns? me on|turned on|cum|lewd|aroused|hot pics)`

/** What people who care for children do with them, between "love" and "teenagers". */
const CARING = phrase`
  (?:teach|coach|help|mentor|work|watch|read|writ|rais|train|tutor|support|protect|cook|feed|books|films|
  shows)`

/** Somebody asks for minors or puts them in a sexual light; work with or against it is excused. */
export const soughtMinors: readonly PhraseRule[] = [
  {
    phrase: phrase`
      (?:${MINOR}|teens?) (?:are |is |also |very |always |totally |girls? |boys? ){0,4}(?:welcome|
      ok|okay|fine|cool|preferred|only|encouraged|hmu|dm me|hit me up|message me|add me|text me|
      best)`,
    unlessPreceded: CARE,
    unlessFollowed: TURNED_DOWN,
  },
  {
    phrase: phrase`
      (?:dm|message|msg|text|add|hmu|hit me up|write|snap|talk to|chat with|call|date|
      meet) (?:me )?(?:up )?(?:only )?(?:if )?(?:ur |youre |your |you are |u r |u are |u |
      someone |girls? |boys? |a ){0,4}(?:${UNDER_18}|a minor|minors|1[0-7](?: or (?:under|
      younger)| ?(?:-|to) ?1\d)?(?= ?(?:$|[,.!?;\n])))`,
    unlessPreceded: CARE,
  },
  {
    phrase: phrase`
      (?:into|prefers?|like|likes|love|loves|want|wants|need|attracted to|looking for|seeking|
      searching for|interested in|date|dating|fantasi[sz]e about|suche|busco|procuro|cherche|
      cerco|stehe auf) (?:(?!${CARING})\w+ ){0,3}(?:${MINOR}|very young|minderjahrige?n?|menores|
      mineure?s|minorenni|kleine madchen|ninas pequenas|jeunes filles mineures)`,
    unlessPreceded: CARE,
    unlessFollowed: OTHER_MINORS,
  },
  {
    phrase: phrase`
      (?:prefer|like|want|only|love|looking for|date|need|seeking|best|best is|is best|girls?|
      boys?|them) (?:\w+ ){0,4}(?:under (?:1[2-7]|twelve|thirteen|fourteen|fifteen|sixteen|
      seventeen)|younger than (?:1[2-8]|sixteen|eighteen))`,
    unlessPreceded: CARE,
    unlessFollowed: beginning`
      s\b|min|km|miles|sec|hours?|stone|kg|lbs?|degrees|handicap|dollars|euros?|pounds|%|bucks|
      c\b|f\b|football|soccer|rugby|hockey|team|cm|feet|inches|knots`,
  },
  {
    phrase: phrase`(?:the )?younger (?:the better|is better|the nicer)`,
    unlessPreceded: /\b(?:wine|beaujolais|cheese|rose|lamb|leaves)\b/,
  },
  {
    phrase: phrase`
      (?:girls?|boys?|females?|males?|gf|bf|women|chicks|teens?|guys|lads|aged?|ages|madchen|
      jungs|chicas?|chicos?|filles?|garcons?|meninas?|meninos?|ragazz[aei]|
      age range) (?:\w+ ){0,2}(?:1[0-7]|[89]) ?(?:-|to|and|bis|a|until|till|through|/) ?(?:1\d|
      2\d)`,
    unlessPreceded: expression`
      ${CARE.source}|\b(?:run|lead|choir|class|camp|club|kids|school|scout|guides|league|sell|
      write|designs?|size|was|cats|dogs|sons|daughters|twins|nephews|nieces|children|team|squad|
      troop|group)\b`,
    unlessFollowed: beginning`
      min|km|miles?|hours?|people|mins|%|times|team|league|football|soccer|rugby|hockey|club|
      group|camp|choir|class|players|/`,
  },
  {
    phrase: phrase`
      (?:${MINOR}|child|kiddie|kiddy|teen|kids|children) (?:\w+ ){0,3}${EXPLICIT}`,
    unlessPreceded: CARE,
    unlessFollowed: beginning`
      ed\b|education|educator|health|offen[cs]e|abuse|exploitation|trafficking|assault|crimes?|
      lawyer|investigat|prevention|survivor|teacher`,
  },
  {
    phrase: phrase`
      ${EXPLICIT} (?:with|of|from|for|about|by|to|pics of|and) (?:a |an |some |the |hot |cute |
      young ){0,4}(?:${MINOR}|child(?:ren)?|kids|teens?|toddlers?|babies)`,
    unlessPreceded: CARE,
  },
  {
    phrase: phrase`
      (?:jail ?bait|lolicon|shotacon|barely legal|minor ?-?attracted|pro ?-?contact map|
      kiddie ?porn|pthc|trad(?:e|ing|es) (?:cp|cheese pizza|child porn)|no limits? teens)`,
    unlessPreceded: CARE,
  },
  {
    phrase: phrase`
      (?:im|i am|proud|yes im) (?:a |an |proud ){0,4}(?:p(?:a)?edo(?:phile)?|hebephile|
      ephebophile|child lover)`,
    unlessPreceded: /\b(?:not|no|think|thinks) $/,
  },
  {
    phrase: phrase`
      (?:no ?one|nobody|none|noone|girls|boys|not) (?:over|older than|above) (?:1[2-8]|sixteen|
      seventeen|eighteen)|(?:still in school|still at school|school ?age|schoolkids) (?:is |
      are )?(?:even |much )?(?:better|best|welcome|preferred|only)|older (?:guy|man|men|woman|
      women) (?:into|for|seeking|looking for) (?:\w+ )?(?:${MINOR}|(?:middle|
      high) school (?:girls|boys))`,
    unlessPreceded: CARE,
    unlessFollowed: beginning`min|km|miles|hours|people|stone|kg|degrees|dollars|euros`,
  },
  {
    phrase: phrase`
      (?:looking for|seeking|want|prefer|like|into|love|date|dating) [^.!?\n]{0,40}\b(?:like|
      around|about|aged?|maybe|between|really|only) 1[0-7] (?:or|to|and|-) 1[0-8]`,
    unlessPreceded: CARE,
    unlessFollowed: beginning`
      min|km|k\b|miles|hours|people|degrees|weeks|months|days|players|friends|percent|%|of us|
      minutes|guests|books`,
  },
  {
    phrase: phrase`
      (?:looking for|want|seeking|meet|like|love) (?:some |young |little )?(?:kids|children|teens|
      minors) (?:to|who want to|for) (?:chat|talk|play|meet|date|hang|have fun|cuddle|private|fun)`,
    unlessPreceded: CARE,
  },
  {
    phrase: phrase`
      (?:anyone|anybody|any girls?|any boys?|girls?|boys?|someone|somebody) (?:who is |
      whos )?(?:under|below|younger than) (?:1[2-8]|twelve|thirteen|fourteen|fifteen|sixteen|
      seventeen|eighteen)`,
    unlessPreceded: CARE,
    unlessFollowed: anyOf(
      TURNED_DOWN,
      /^ ?(?:football|soccer|hockey|rugby|team|squad|league|stone|handicap|cm|kg)/,
    ),
  },
  {
    phrase: phrase`
      (?:if )?(?:youre|ur|you are|u are) 1[0-7](?:(?: or|-| to| and) ?1[0-8])?,? (?:message|dm|
      msg|hmu|hit me up|text|write|add|please|come|talk)`,
    unlessPreceded: CARE,
  },
]
