import { beginning, compileRules, expression, phrase } from './phrase-rule.js'
import { REFUSED, TURNED_AWAY } from './negations.js'

const SEXUAL_IMAGES = phrase`
  (?:nudes?|noods|spicy (?:pics|content|videos?)|adult content|exclusive content|feet ?pics|
  feet (?:pictures|photos|content)|foot pics|panties|custom (?:vids?|videos|content)|
  used (?:panties|underwear|socks)|lewds?|naughty (?:pics|videos?)|xxx|nsfw (?:content|pics)|
  hot (?:pics|videos))`
const REFUSED_OR_JOKE = expression`
  ${REFUSED.source}|\b(?:not an?|barely an?|without an?|isnt an?|no ones|nobodys) $`

const breaksRule = compileRules([
  {
    phrase: phrase`
      (?:independent|elite|vip|professional|private|available|high ?class|luxury|discreet|female|
      male|trans|local|verified|paid|exclusive|young) escorts?|escorts? (?:available|services?|
      girl|agency|for hire|rates|near|tonight|in town|verified)|escorting (?:on|at|full|part|in|
      to pay)|(?:im|i am|work as|working as) an? (?:\w+ )?escort`,
    unlessPreceded: REFUSED_OR_JOKE,
    unlessFollowed: beginning`
      rs|cosworth|mk|van|estate|drivers?|vehicle|nurse|on a|for (?:patients|kids|school|abnormal)|
      motor|riders?|teacher`,
  },
  {
    phrase: phrase`
      (?:in ?-?calls?|out ?-?calls?) (?:and|or|only|available|&|/|,) ?(?:out ?-?calls?|
      in ?-?calls?)?|(?:incalls?|outcalls?)`,
  },
  {
    phrase: phrase`
      (?:gfe|girlfriend experience|pse|full service|bbbj|greek available|happy ending massage|
      massages? with (?:a |an )?(?:happy ending|extras?)|happy endings? (?:available|included|
      guaranteed|massage)|nuru|body ?rub|erotic massages?|sensual massages?|tantric massages?)`,
    unlessPreceded: REFUSED_OR_JOKE,
    unlessFollowed: beginning`
      restaurant|gas|law|agency|bike|garage|station|salon|wedding|bank|hotel|catering|kitchen|
      printer|agent`,
  },
  {
    phrase: phrase`
      (?:\$|€|£)? ?\d{2,4} ?(?:\$|€|£|usd|eur|euros?|dollars|roses|kisses|quid|pounds)? ?(?:/|per|
      an|a|for an|for one|for the|for) ?(?:hr|hour|h|half hour|hh|30 min|night)(?= ?(?:$|
      [,.!?;|\n]|(?:discreet|dm|message|incall|cash|negotiable|no|safe|ask|and|
      only)\b))[^.!?\n]{0,40}(?:discreet|dm|rates?|incall|safe|cash|clean|negotiable|extras|
      gentlem[ea]n|serious)`,
    unlessPreceded: expression`
      \b(?:at|driving|doing|speed|km|cycling|charge|tutor\w*|lessons?|teach\w*|sitter|sitting|
      walk\w*|cleaner|plumber)\b`,
  },
  {
    phrase: phrase`
      (?:dm|message|text|ask|inquire|msg|contact) (?:me )?(?:for|about) (?:my )?(?:rates|prices|
      pricing|price list|services|a session|my services|a menu of services)`,
    unlessPreceded: REFUSED_OR_JOKE,
    unlessFollowed: beginning`if you need|of (?:gardening|tutoring|plumbing)`,
  },
  {
    phrase: phrase`\d{2,4} (?:roses|kisses|diamonds)`,
    unlessFollowed: beginning`in |planted|bush|on|and a|a day|for (?:my )?(?:mum|mother|garden|the)`,
  },
  {
    phrase: phrase`
      (?:upscale|generous|respectful|mature) (?:and \w+ )?(?:gentlem[ea]n|men|clients?|guys) only|
      generous (?:men|gentlem[ea]n|guys|daddies|sponsors?)`,
  },
  {
    phrase: phrase`
      (?:selling|sell|sells|buy|buying|trade|offering|for sale:?|custom|cheap|unlock|
      purchase) (?:my |our |some |hot |spicy |sexy |exclusive |private |naughty |custom |
      personal ){0,4}${SEXUAL_IMAGES}`,
    unlessPreceded: REFUSED_OR_JOKE,
    unlessFollowed: TURNED_AWAY,
  },
  {
    phrase: phrase`
      ${SEXUAL_IMAGES} (?:for sale|4 ?sale|on sale|menu|available|prices?|packs?|from \$?\d|
      \d+ ?(?:\$|€|£|each|a pop))`,
    unlessPreceded: REFUSED_OR_JOKE,
  },
  {
    phrase: phrase`
      (?:subscribe|sub|join|check(?: out)?|see|follow|find|visit|link|links|click|promote|my|free|
      new|top \d+(?:\.\d+)?%?|link to|creator on|on|dm for|ask for|buy|
      support) (?:\w+ ){0,3}(?:only ?fans|fansly|fanvue|many ?vids|loyal ?fans|premium snap|
      private snap|chaturbate|my of)`,
    unlessPreceded: REFUSED_OR_JOKE,
    unlessFollowed: TURNED_AWAY,
  },
  {
    phrase: phrase`
      (?:only ?fans|fansly|fanvue|premium snap|chaturbate|of) (?:link|model|creator|girl|is|
      in bio|below|in (?:my )?(?:profile|bio)|free|sale|\d+% off|account|:|top)`,
    unlessPreceded: expression`${REFUSED_OR_JOKE.source}|[a-z] $`,
  },
  {
    phrase: phrase`of link|my of(?: is| link| page|:)`,
    unlessPreceded: REFUSED_OR_JOKE,
    unlessFollowed: /^ ?(?:course)/,
  },
  {
    phrase: phrase`
      (?:looking for|want|wants|need|seeking|wanted|be|find|find me|searching for|become|your|
      offering|apply to be|any|sweet|im a|i am a|experienced|real|genuine|serious) (?:a |an |my |
      new |real |generous |the |genuine |serious |next |young |older ){0,4}(?:sugar ?(?:daddy|
      daddies|mommy|mummy|mama|baby|babies|babe|dating|boy)|pay ?pigs?|finsubs?|fin ?dom\w*|
      sponsor for|splenda daddy)`,
    unlessPreceded: REFUSED_OR_JOKE,
    unlessFollowed: /^ ?(?:jokes?|of none)/,
  },
  {
    phrase: phrase`
      (?:sugar ?(?:daddy|daddies|mommy|baby|babies)) (?:wanted|needed|welcome|apply|please|only|
      here|life|lifestyle|hmu|dm)`,
    unlessPreceded: REFUSED_OR_JOKE,
  },
  {
    phrase: phrase`
      (?:mutually beneficial|seeking an?|paid|ppm|discreet) (?:\w+ )?arrangements?|(?:weekly|
      monthly) allowance|allowance (?:expected|required|negotiable|wanted|please|only)|
      pay per meet|ppm (?:only|please|required)|(?:fin ?dom(?:me)?|pay ?pigs?|tribute (?:first|me|
      required|to (?:speak|talk|chat))|goddess worship|unlock my dms)`,
    unlessPreceded: REFUSED_OR_JOKE,
    unlessFollowed: beginning`for (?:my )?(?:kids|children)|from (?:mum|dad)`,
  },
  {
    phrase: phrase`
      (?:im|i am|as|proud|full time|part time) an? (?:\w+ )?(?:prostitute|hooker|call ?girl|
      rent ?boy|cam ?girl|cam ?boy|cam ?model|stripper for hire|porn ?star)|(?:call ?girls?|
      rent ?boys?|prostitutes?) (?:available|here|for|wanted)|cam (?:show|shows|sessions|site)|
      video call (?:sessions?|rates|shows?)|webcam (?:shows?|model)|(?:sex|sexual|adult|
      intimate) services|paid (?:sex|meets?|meetups?|dates?|company)|pay for (?:sex|play|my time|
      my company)|p4p`,
    unlessPreceded: REFUSED_OR_JOKE,
    unlessFollowed: beginning`rugby|for (?:the|my) (?:local )?(?:rugby|team|club|firsts)`,
  },
  {
    phrase: phrase`
      (?:biete|verkaufe) (?:\w+ ){0,2}(?:sex|nacktbilder|slips|dienste|massagen mit|escort)|
      (?:suche )?taschengeld (?:date|treffen|ladies)|tg treffen|sugardaddy gesucht|hobbyhure|
      (?:vends|vend) (?:mes )?(?:photos|nudes|culottes)|cherche (?:un )?(?:sugar daddy|
      papa gateau|sponsor)|escorte? (?:disponible|girl|independante)|(?:vendo|
      venta de) (?:\w+ )?(?:packs?|nudes|contenido|fotos (?:hot|desnuda))|(?:busco|procuro|
      cerco) (?:un )?sugar daddy|(?:garota|garoto) de programa|acompanhante de luxo|
      vendo (?:packs?|conteudo|foto (?:hot|nuda))|escort (?:disponibile|di lusso)|accompagnatrice`,
    unlessPreceded: REFUSED_OR_JOKE,
  },
  {
    phrase: expression`
      (?:^|\n|[.|] ?)(?:\w+ )?escort ?[,|/]|\bsugar ?(?:baby|babe|daddy|mommy|mummy) (?:seeking|
      looking|searching|in need|ready|available|with|for|hmu|dm)\b|\b(?:sell|selling|sells|
      buy) (?:\w+ ){0,4}${SEXUAL_IMAGES}\b|\b(?:spicy|adult|premium|exclusive|naughty|
      uncensored) content\b[^.!?\n]{0,30}\b(?:link|dm|bio|subscribe|unlock|sale|menu)\b`,
    unlessPreceded: REFUSED_OR_JOKE,
    unlessFollowed: beginning`van|rs|drivers?|nurse`,
  },
  {
    phrase: phrase`
      prepaid (?:meets?|dates?|meetups?)|rates (?:in|on) (?:my )?(?:bio|profile|request)|
      no lowballers?|(?:hotel|car|outcall)s? (?:visits? )?only|companion(?:ship)? (?:for hire|
      available|for a fee|rates)|(?:send|sell|trade|do|make) (?:you )?(?:vids?|videos?|pics|
      custom\w*|nudes) for (?:\$ ?)?\d+|\d (?:hours?|hrs?) minimum|on (?:chaturbate|fansly|fanvue|
      manyvids|cam4|stripchat|myfreecams)|only ?fans (?:top|girl|boy|model|creator)`,
    unlessPreceded: REFUSED_OR_JOKE,
    unlessFollowed: beginning`sleep`,
  },
  {
    phrase: phrase`
      selling (?:\w+ )?(?:pics|vids|videos|content)(?= ?(?:$|[,.!;]|(?:and|cheap|dm|hmu|for|
      from)\b))`,
    unlessPreceded: REFUSED_OR_JOKE,
  },
])

/** Whether a folded text offers or asks for sexual services or images for money. */
export function findsSexualServices(text: string): boolean {
  return breaksRule(text)
}
