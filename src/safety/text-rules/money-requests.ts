import { compileRules, expression, phrase } from './phrase-rule.js'
import { REFUSED, TURNED_AWAY } from './negations.js'

const WALLET = phrase`
  (?:cash ?app|venmo|paypal|zelle|revolut|monzo|western union|money ?gram|bizum|pix|twint|wise|
  apple pay|google pay|chime|gcash|mpesa)`

const breaksRule = compileRules([
  {
    phrase: phrase`
      (?:send|wire|drop|pay|tip|throw|slip|gift) (?:me )?(?:\$ ?\d+|\d+ ?(?:\$|€|£|dollars|euros?|
      bucks|quid|pounds))|(?:to|on|via|through|use|check|hit up) my ${WALLET}|(?:buy|get|order|
      gift|send|spoil) (?:me )?(?:\w+ ){0,4}(?:amazon |my )wish ?list|amazon wish ?list (?:in|is|
      link|below)|${WALLET} (?:is |s )?in (?:my |the )?(?:bio|profile)|(?:rent|bills?|
      tuition) (?:is|are) due[^.!\n]{0,20}(?:who|help|send|pay|anyone)|whos (?:helping|paying|
      sending|spoiling)|buy me (?:gifts|things|stuff|presents|clothes|bags|shoes|jewel\w*)|
      wish ?list (?:in|is|link|below|on)|spoil me (?:first|please|with (?:money|cash|gifts))|
      (?:invest(?:or|ors|ment)?|partners?) (?:\w+ ){0,3}(?:in|for) my (?:crypto|trading|forex|
      mining)`,
    unlessPreceded: expression`${REFUSED.source}|\b(?:i|ill|to|my mum|who) $`,
    unlessFollowed: TURNED_AWAY,
  },
  {
    phrase: phrase`
      (?:earn|earning|made|making|make|profit|profits? of|
      income of) (?:\w+ ){0,2}\$? ?\d+ ?k? ?(?:\w+ )?(?:a day|a week|weekly|daily|per week|
      a month|monthly|per day) (?:\w+ ){0,3}(?:forex|crypto|trading|bitcoin|online|from home|
      investing|passive)`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`(?:cash ?app|venmo|paypal|zelle|revolut|bizum) (?:me|us)`,
    unlessPreceded: REFUSED,
    unlessFollowed: TURNED_AWAY,
  },
  {
    phrase: phrase`my ${WALLET} (?:is|s|tag|handle|:|in bio|below)`,
    unlessPreceded: REFUSED,
    unlessFollowed: /^ (?:empty|sad|history|feed)/,
  },
  {
    phrase: expression`\b${WALLET} ?(?::|=|->|@|\$|- ) ?[$@]?[a-z0-9]`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      (?:send|wire|transfer|lend|give|loan|spot|gift|tip|tribute) (?:me |us |over )?(?:some |a |
      your |any |the |\$ ?\d+ ?(?:of |in )?|\d+ ?(?:dollars|euros|bucks|pounds|usd|eur)? ?(?:of |
      in |via |on )?){0,4}(?:money|cash|crypto|bitcoins?|btc|eth|ethereum|usdt|gift ?cards?|
      amazon cards?|itunes cards?|steam cards?|payments?|donations?|tributes?|dollars|euros|bucks|
      ${WALLET})`,
    unlessPreceded: expression`
      ${REFUSED.source}|\b(?:ill|i will|never|wont|you|friends who|people who|who|banks?|
      to family|i) $`,
    unlessFollowed: TURNED_AWAY,
  },
  {
    phrase: phrase`
      (?:need|want|looking for|waiting for|require|accept|accepting|asking for|
      request) (?:\w+ ){0,3}(?:to (?:send|wire|lend|give|buy) (?:me )?(?:\w+ )?(?:money|cash|
      gift ?cards?|crypto|bitcoin)|gift ?cards?|financial (?:help|support|assistance)|
      money for (?:my )?(?:rent|flight|visa|bills|ticket|surgery|hospital|phone))`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      (?:please|can you|could you|who can|who will|wholl|someone (?:\w+ ){0,2}(?:to|who)|
      somebody (?:to|who)|need (?:you|help|someone) to|want you to|help me|help|must|
      daddy) (?:to )?(?:pay|cover|with) (?:for )?my (?:rent|bills|tuition|debts?|phone bill|loan|
      flight|visa)`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      (?:guaranteed (?:returns?|profits?|income)|passive income (?:dm|ask|message|with me)|
      double your (?:money|bitcoin|crypto|investment)|financial freedom (?:dm|ask|message)|
      turn \$?\d+ (?:in)?to \$?\d+|(?:invest|investing|investment) (?:with me|opportunity|
      platform|advice,? dm|tips,? dm)|(?:trading|forex|crypto|bitcoin|binary|options) (?:mentor|
      signals|expert|account manager|coach|broker|academy|group|platform)s?|make (?:money|cash|
      \$?\d+k?) (?:\w+ ){0,4}(?:with me|ask me how|dm me|from home|a (?:day|week)))`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      (?:message|dm|ask|text|write|contact|hmu|msg) me (?:\w+ ){0,3}(?:to|about|how to|how i|
      if you want to) (?:\w+ ){0,2}(?:earn|earning|invest|investing|make money|forex|crypto|
      trading|bitcoin|financial freedom|make \$?\d+k?|make 10k)`,
    unlessPreceded: REFUSED,
    unlessFollowed: /^ ?(?:bros?|scams?)/,
  },
  {
    phrase: phrase`
      (?:teach|show|mentor|help|coach) (?:you|people|others) (?:\w+ ){0,4}(?:earn|forex|crypto|
      bitcoin|make money|passive income)`,
    unlessPreceded: /\b(?:wont|never|not) $/,
    unlessFollowed: /^ ?(?:offs?)/,
  },
  {
    phrase: expression`
      \b(?:bc1[02-9ac-hj-np-z]{25,62}|0x[0-9a-f]{40}|t[a-z0-9]{33}|[13][a-z1-9]{25,34})\b`,
  },
  {
    phrase: phrase`
      (?:schick mir|uberweis mir|sende mir) (?:\w+ )?(?:geld|euro|\d+|gutscheine?|bitcoin)|
      (?:envoie|vire)(?:[ -]moi)? (?:de l ?argent|largent|\d+ euros?)|(?:mandame|enviame|
      depositame|transfiereme) (?:\w+ )?(?:dinero|plata|\d+)|(?:me )?(?:manda|faz) (?:um |
      o )?(?:pix|dinheiro)|(?:mandami|inviami) (?:\w+ )?(?:soldi|denaro|\d+ euro)`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      (?:want|wanna|ready|like|would you like|how) to (?:get rich|be rich|make money|earn|
      build wealth|retire early|be your own boss)[^.\n]{0,30}\b(?:dm|message|ask|text|crypto|
      forex|bitcoin|hmu|contact|write)`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      need (?:some |a bit of )?(?:money|cash|\$? ?\d+) (?:for|to (?:pay|buy|get)) (?:a |my |
      the )?(?:flight|visa|rent|bills|ticket|surgery|hospital|phone|hotel|bus|passport|food|
      school|fees|tuition|medicine|home)|stuck abroad|(?:double|triple|grow|multiply|
      quadruple) your (?:money|bitcoin|crypto|savings|investment|income)|(?:need|want|
      looking for) help (?:with|paying) (?:my )?(?:tuition|rent|bills|debt|loans?)`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: expression`\$[a-z][a-z0-9_]{2,20} (?:on|@|via|at) ${WALLET}\b|${WALLET} ?@[a-z0-9_-]{3}`,
  },
])

/** Whether a folded text asks for money or offers a way to lose it. */
export function findsMoneyRequest(text: string): boolean {
  return breaksRule(text)
}
