import { beginning, expression, phrase, type PhraseRule } from './phrase-rule.js'
import { REFUSED } from './negations.js'
import { APP, APP_AFTER_ON, NO_HANDLE } from './app-names.js'

const WRITE = phrase`
  (?:add|follow|find|message|msg|dm|text|txt|hit|hmu|hit me|reach|write|contact|catch|talk|chat|
  ping|call|stalk|search|hml|holla|buzz|sub(?:scribe)?|speak|connect)`
/** Ends a clause: what stands before it was its last word. */
const CLAUSE_ENDS = phrase`
  (?= ?(?:$|[,!?;:|)\n]|\.(?!\w)|(?:and|so|if|for|but|hmu|or|i|im|xx?)\b))`
const HANDLE = phrase`${NO_HANDLE}@?[a-z0-9][a-z0-9._-]{2,29}`
/** A name nobody writes as a word: with a digit, an underscore, a number sign or a dot inside. */
const ODD_HANDLE = phrase`@?[a-z]{2,20}(?:[._#-]?[0-9_#]|\.[a-z]{3})[a-z0-9._#-]{0,24}`

/** Ways to another app: "add me on …", "my … is", "what's your …?". */
export const otherApps: readonly PhraseRule[] = [
  {
    phrase: phrase`
      ${WRITE} (?:me |us |to me |with me |at me )?(?:up |out |over |back |there |instead |first |
      privately |directly ){0,4}(?:on|at|via|through|over|by|in|using|from) (?:my |the |there |
      here )?${APP_AFTER_ON}`,
    unlessPreceded: REFUSED,
    unlessFollowed: beginning`\d|of|dance|dancing|up\b|for (?:hours|work)`,
  },
  {
    phrase: phrase`
      (?:add|follow|hmu|dm|msg|message|check(?: out)?|see|visit|stalk|peep|sub(?:scribe)? to|join|
      get|have|take|want|ask (?:me )?for|(?:dm|message|msg) (?:me )?for) my ${APP}`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      (?:ask (?:me )?for|(?:dm|message|msg) (?:me )?for|want|get|have|take|save|use) my (?:number|
      digits|whats ?app|handle|socials)`,
    unlessPreceded: REFUSED,
  },
  { phrase: phrase`hmu (?:on |at )?@?${APP}`, unlessPreceded: REFUSED },
  { phrase: phrase`add me,? ?(?::|=|-|@) ?@?[a-z0-9._]{3,}` },
  {
    phrase: expression`
      \bmy ?(?:${APP} ?(?:name|user ?name|handle|id|is|s|account is|:|=|@|-|>|→)+|(?:user ?name|
      handle|socials?|@)(?: is| are|:)+)[ :=@>→]*(?:${HANDLE}${CLAUSE_ENDS}|@?${ODD_HANDLE})`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: expression`
      \bmy (?:phone |mobile |cell |home |whats ?app |handy ?|new |uk |us ){0,2}(?:number|num|
      digits|cell|mobile|phone)(?: is|s|:| -|=) ?\+?\(?\d`,
    unlessPreceded: REFUSED,
    unlessFollowed: /^\d{0,3} ?(?:%|percent|years?|times)/,
  },
  {
    phrase: phrase`my (?:number|digits|whats ?app)(?: is|s|:) (?:on|in|at|below|under)`,
    unlessPreceded: REFUSED,
    unlessFollowed: /^ (?:silent|the list)/,
  },
  {
    phrase: phrase`
      ${APP}(?: id| user ?name| handle| name| account)? ?(?::|=|->|=>|→|>|@|👉|\|) ?@?${HANDLE}`,
    unlessPreceded: REFUSED,
    unlessFollowed: beginning`thanks|thank|please|ever|for me|anymore`,
  },
  {
    phrase: expression`
      (?:^|\n|[.|/•,;!] ?|\b(?:my|add|on|hmu|is) )sc ?[:@=] ?@?[a-z0-9]`,
  },
  {
    phrase: expression`
      (?:^|\n|[.|/•,;!?] ?|\b(?:my|add|on|hmu|is|and|or|me) )(?:${APP}|sc) ?-? ?${ODD_HANDLE}`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: expression`
      (?:^|\n|[.!?;|•] ?)(?:ig|sc|kik|tg) @?${NO_HANDLE}[a-z]{4,30}(?=$|\n|[.,!|])`,
  },
  {
    phrase: phrase`
      (?:${APP}|links?|socials?|handle|number|@|of|whats) (?:is |are |s )?in (?:my |the )?(?:bio|
      profile|comments|photos?|pics?|pictures?|last (?:pic|photo)|first (?:pic|photo)|(?:photo|
      pic) \d)`,
    unlessPreceded: REFUSED,
  },
  { phrase: /(?:👻|📸|📷) ?:? ?@?[a-z][a-z0-9._-]{6,29}(?=$|\n)/u, unlessPreceded: /[a-z]/ },
  {
    phrase: /(?:👻|📞|☎|📲|📱|✉|📧) ?:? ?@?(?:[a-z]{2,20}[._]?[0-9_][a-z0-9._]*|\+?\d[\d -]{5,})/u,
  },
  {
    phrase: phrase`
      (?:give|send|drop|dm|leave|share|gimme|slide|shoot|pass|tell|text|
      show) (?:me )?(?:over )?(?:your|ur|ya|u r) (?:phone |real |actual |cell )?(?:number|digits|
      cell|${APP}|socials|handle|contact|address|@)`,
    unlessPreceded: REFUSED,
    unlessFollowed: /^ (?:one\b|1\b|of\b)/,
  },
  {
    phrase: phrase`
      (?:can|could|may|might|let) (?:i|me|we) (?:get|have|grab|steal|ask for|please have) (?:your|
      ur|ya) (?:phone |cell )?(?:number|digits|cell|${APP}|socials|handle|@|contact)`,
    unlessFollowed: /^ (?:one\b|1\b)/,
  },
  {
    phrase: phrase`
      (?:whats|what is|wats|swap|trade|exchange) (?:your |ur |our )?(?:phone |cell )?(?:numbers?|
      digits|${APP}|socials|handles?|@)`,
    unlessPreceded: REFUSED,
    unlessFollowed: /^ (?:one\b|1\b|of\b|are\b|is\b)/,
  },
  {
    phrase: phrase`
      (?:lets|we can|can we|we could|prefer to|rather|better to|easier to|move to|continue|
      switch to|talk|chat|chatting) (?:\w+ ){0,3}(?:on|to|over to|via) (?:${APP}|signal)`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      (?:im|i am|available|reachable|always|only|faster|usually|more active|mostly|reply|respond|
      reply faster) (?:\w+ ){0,2}(?:on|via|at) ${APP}(?: more| instead| only| as| under|:| @)`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      (?:hardly|never|rarely|not|barely) (?:\w+ ){0,2}(?:on )?(?:here|this app|
      this) (?:\w+ ){0,3}${APP}`,
  },
  {
    phrase: phrase`
      (?:text|call|ring|txt|phone|dial|sms|whats ?app|message) me (?:at|on|:|@) ?(?:\+|\(|\d{2}|
      zero|oh|one|two|three|four|five|six|seven|eight|nine)`,
  },
  {
    phrase: phrase`
      (?:${APP}|signal|sc) (?:under|as|by|with the name|user ?name|handle|name|
      id) (?:${HANDLE}${CLAUSE_ENDS}|${ODD_HANDLE})|same (?:name|handle|user ?name|@|
      tag) (?:\w+ ){0,3}(?:${APP}|there|elsewhere|everywhere|signal)|(?:my |the )sc (?:is|
      s) ${HANDLE}|sc (?:is|:) ${HANDLE}${CLAUSE_ENDS}|${APP},? ${ODD_HANDLE}`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      (?:find|follow|see|visit|check(?: out)?|look up|look for|search(?: for)?|google|
      go to) (?:me|my (?:page|profile|channel|stories|account|pics|photos|
      content)) (?:\w+ ){0,3}(?:on|at|over on) (?:\w+ )?${APP}`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: expression`
      (?:^|\n|[.!?;|,] ?|\bmy )(?:${APP}|sc) (?:is|=|->|→) ?@?(?:${ODD_HANDLE}|
      ${HANDLE}${CLAUSE_ENDS})`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      ${ODD_HANDLE} (?:on|at|via|\() ?${APP}|(?:kik|snap|insta|ig|whats ?app|wa|telegram|tg|
      discord|fb|facebook|skype|wechat|face ?time|i?message|text) me,? (?:at|on|:|@|here|there|
      anytime|instead|@?${ODD_HANDLE})|(?:kik|insta|ig|whats ?app|telegram|tg|skype|wechat|
      face ?time) me|(?:add|find|follow|hmu|message|reach|
      search) (?:me )?:? ?@?(?:[a-z]{2,20}#\d{3,5}|[a-z]{2,20}[._]?\d{2,}|
      [a-z]{2,20}_[a-z0-9_]{2,})`,
    unlessPreceded: REFUSED,
    unlessFollowed: beginning`a (?:photo|picture|postcard)|this app`,
  },
  {
    phrase: expression`
      (?:^|\n|[.!?;|] ?)(?:snap ?chat|insta ?gram|tele ?gram|whats ?app|discord|we ?chat|kik|ig|
      tg) (?:id )?@?${NO_HANDLE}(?!(?:moderator|model|admin|readers?|fans?|haters?|quitters?|
      influencer|baker|chef|servers?|groups?|chats?|calls?|reply|replies|
      scrolling)\b)[a-z]{5,30}(?=$|\n)`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`${APP} (?:is |works )?(?:better|best|faster|easier|instead|preferred)`,
    unlessPreceded: REFUSED,
    unlessFollowed: beginning`than (?:tv|sleep)`,
  },
]
