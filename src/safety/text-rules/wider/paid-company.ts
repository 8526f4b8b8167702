import { ending, phrase, type PhraseRule } from '../phrase-rule.js'

const NO = ending`(?:no|not|dont|never|without|anti|stop|kein\w*|pas de|nao|senza) (?:\w+ ){0,3}`

/** Sex, its images and company for money, in hints too. */
export const paidCompany: readonly PhraseRule[] = [
  {
    phrase: phrase`(?:incalls?|outcalls?|gfe|ppm|bbfs|pnp|nuru|findom|pay ?pig|human atm|domme|rent ?boy|full service,|verified provider|sb/sd|sd/sb|premium snap|(?:looking for|seeking|wants?|busco|need|your) (?:a |an )?sugar (?:baby|daddy|mama)|sugar baby looking|onlyfans|fansly|cam ?girl|happy finish|happy ending (?:guaranteed|included|massage)|with happy ending|final feliz|finition|moments tarifes|accompagnatrice|acompanhante|taschengeld|tg erwunscht|faco programa|(?:male|independent|luxury) escort|escort (?:de luxe|independiente)|escort,? \\d|masajes con)`,
    unlessPreceded: NO,
    unlessFollowed: /^ ?(?:duty|: i drive|pensioners|service for|rights|mission|agency driver)/,
  },
  {
    phrase: phrase`(?:roses?|flowers|donations?|tributes?|gifts?|regalito|regalino|cadeau|envelope|small present)(?: \w+){0,4} (?:first|required|before|per|for my|no meet|hour|expected|appreciated|upstairs|demandees?|are welcome|before kisses)|(?:no roses|bring \d+ (?:roses|flowers)|\\d+ rose|bring \\d+|few roses|quelques roses)`,
    unlessPreceded: NO,
    unlessFollowed: /^ ?(?:in my garden|bushes)/,
  },
  {
    phrase: phrase`\d{2,4} ?(?:€|\$|£|euros?|dollars?|bucks|pounds|qv|hh|hr|per|for|the|an|a|la|die|pro|l|one|all)? ?(?:(?:an?|the|per|for one|for the|la|die|pro|l|por|demi) ?)?(?:(?<!24 )(?:hour|hr)|night|nite|stunde|hora|heure|demi-heure|ora|uur|shot|evening|overnight)(?!s)|(?:short|hour|hh|1h|30 ?min|half hour|long|night|two hours)(?: from)? ?\d{2,4}|\d{2,3} ?qv|(?:30|60|90) ?min(?:utes)? (?:minimum|\d{2,4})`,
    unlessFollowed: /^,? ?(?:lesson|tutoring|maths|piano|is my|of (?:piano|maths)|locksmith)/,
    unlessPreceded: ending`(?:lessons?|tutor\w*,?|tuition|rent|bike|walked|ran|work|yoga|maths|english|i run) (?:\w+ ){0,3}`,
  },
  {
    phrase: phrase`(?:my |ask for (?:my |the )?|see |les |tarifs? |for )(?:rates|tariff|menu|price list|prices|tarifs?)(?: on request| in private| en prive)?(?= ?(?:$|[.,!]|and|on|in|en|kissing|for))|name your price|every pic has|my company has a fee|beauty has its price|has a number, ask|tell me your budget|price is|terms in private|budget and i|services?,? clean flat|no (?:haggling|freebies|blocked numbers)|dont do free|not for free|book me|taking bookings|by appointment|screening|serious gentlemen`,
    unlessPreceded: NO,
    unlessFollowed: /^ ?(?:for weddings|logos|of (?:tea|wine))/,
  },
  {
    phrase: phrase`(?:generous|established|solvent\w*|grosszugig\w*|wealthy|vip|rich|genereux|wallet|serious)(?: \w+){0,2} (?:men|man|gents?|gentlem[ae]n|herr(?:e?n)?|homme|caballeros?|guys?|important|gets me|daddy)(?: only| welcome| wanted| who| for)?|gentlemen (?:only|by|who|welcome)|herr bezahlt|caballeros, tarifa|compania a caballeros|empfangt|empfange|recois|te recoit`,
    unlessPreceded: NO,
  },
  {
    phrase: phrase`(?:sponsor|allowance (?:weekly|monthly)|arrangement|cover(?:s|ing)? my (?:rent|bills|tuition)|pay(?:s)? my (?:rent|tuition|bills)|pay to play|spoil me|fund(?:s)? my|make it worth|in exchange for (?:my )?(?:company|time)|cash for|for cash|anything for money|wallet|paid (?:dates?|company|meets?)|betaalde date|mantenga|tuition and im|unterstutzung)(?= ?(?:$|[.,!]|and|for|with|wanted|weekly|monthly|preferred|only|in|from|first|whenever))`,
    unlessPreceded: NO,
    unlessFollowed: /^ ?(?:in my (?:back|pocket)|flower)/,
  },
  {
    phrase: phrase`(?:sell(?:ing)?|vend[eo]|verkaufe?|je vends|buy|custom|trade|ask for) (?:\w+ ){0,4}(?:nudes|pics|packs?|feet|panties|socks|underwear|lingerie|wasche|photos coquines|videos|vids|bilder)|used (?:socks|lingerie|panties)|worn (?:panties|gym socks|socks|to order)|customs open|exclusive content|uncensored|spicy vids|private (?:gallery|shows?)|video ?calls? \d|unlock me|subscribe (?:to|now)|my (?:spicy )?(?:🌶|page|of)(?: \S+){0,3} (?:free|half price|everything|is free)|of in bio|real ones subscribe`,
    unlessPreceded: NO,
  },
  {
    phrase: phrase`(?:i (?:pay|reimburse|would pay|d pay|will pay|ll pay)|will pay|pay well|paying) (?:\w+ ){0,5}(?:girl|girls|lady|ladies|night|hour|company|weekend|handsomely|evening)|(?:massage|bodywork|spa|tantr\w+) (?:\w+ ){0,6}(?:gentlemen|trimmings|naked|finish|extras?|four hands|body to body)|body to body|(?:hotel|flat|apartment|haus) (?:\w+ ){0,3}(?:visits|available|besuch|possible)(?:,| and)|offers? her time|time to (?:established|kind)|by the hour, sweet|good girl\. ?tribute`,
    unlessPreceded: NO,
  },
]
