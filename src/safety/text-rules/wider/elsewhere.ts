import { ending, expression, phrase, type PhraseRule } from '../phrase-rule.js'

const NO = ending`(?:no|not|dont|do not|doesnt|never|without|deleted|left|quit|please dont|nicht|kein\w*|pas|nao|non|anti|no rush to|hate) (?:\w+ ){0,4}`
const PLACE = phrase`
  (?:insta(?:gram|grm)?|1nsta|the gram|gram|ig|snap(?:chat)?|sn4p|telegram|telegramma|tele|tg|whats ?app|wasap|wasapp|zap|signal|kik|discord|
  facebook|fb|messenger|wechat|viber|zalo|kakao|line id|qq|wickr|bbm|skype|tik ?tok|the tok|steam|psn|imessage|youtube|patreon|
  substack|linktree|link tree|linktr\w*|(?:the |that |my |an? |on )?(?:other|green|yellow|blue|purple|ghost|camera|clock|bird|paper plane|plane|photo|pic|phone|picture|foto|stories)(?:\w*)? (?:app|one|site|bubble|place|ghost|bird|f|messenger)|
  (?:green|yellow|blue|purple|gruner|grunen) (?:\w+ )?(?:app|ghost|bird|messenger|one)|yellow ghost|fantome jaune|camarita|pajarito|passarinho azul|avioncito|app del avion\w*|appli aux stories|app delle foto|foto-?app|social\w*|platforms?|everywhere)`

/** Ways to talk elsewhere that are described or broken up rather than named. */
export const elsewhere: readonly PhraseRule[] = [
  {
    phrase: phrase`(?:find|look|hmu|hit|reach|get|text|write|message|contact|search|add|talk|reply|catch|try|type|dm|switch|move|take (?:it|this)|off|go|moved?|there|better|mejor|lieber|schreib mir|escribeme|ecris|scrivimi|buscame|me acha|ajoute|voeg|app|agregame|me chama|add me|knows me|more of me|known)(?: \w+){0,5} (?:on|to|at|in|via|into|bei|auf|en|no|na|su|sull?|sur|op|as|by|through|over) (?:\w+ )?${PLACE}(?= ?(?:$|[.,:!?)]|\w))`,
    unlessPreceded: NO,
    unlessFollowed:
      /^ ?(?:team|marketing|for (?:a living|work)|of a|manager|videos? about|is for my)/,
  },
  {
    phrase: phrase`${PLACE} ?(?:only|instead|first|is (?:better|faster|the same)|knows me|messenger is|as invent|as |name|:|=|➡|→|>|is my|,? ask|on request|under)(?= ?\S)`,
    unlessPreceded: NO,
    unlessFollowed: /^ ?(?:a (?:job|hobby)|my (?:aunt|mum|bakery)|my screen)/,
  },
  {
    phrase: phrase`(?:my|same|mon|mi|meu|mein|il mio) (?:\w+ ){0,3}(?:handle|user ?name|nickname|@|digits|number|numero|nummer|handynummer|name on there|zap|wasap|telegram|finsta|channel|gamertag|site|website|id) (?:is|in pic|steht|are|e|es|est|everywhere|there|plus|slash|ends|as|ist)|same (?:user ?name|name|handle|pics?|nickname)|(?:user ?name|handle|platform) ?[:=]|(?:digits|number|qr code|handle|@|nummer) (?:\w+ )?(?:is |are |steht )?(?:in|on|auf) (?:\w+ ){0,2}(?:pic|photo|picture|bild|mug|job title)|(?:drop|gimme|give me|want|send|te paso|exchange|trade|swap|give you) (?:ur |your |my |mi |the |yours )?(?:@|digits|numbers?|ig|insta|snap|numero|handle|yours and ill ring)|in (?:the )?phone ?book|in my (?:last|second|third|2nd|3rd) (?:pic|photo)|pic 3|second photo|phone in the directory`,
    unlessPreceded: NO,
  },
  {
    phrase: phrase`(?:dot|punto|punkt|ponto|underscore|unterstrich|trattino|tiret|guion|slash|hashtag) (?:com|net|org|me|de|fr|co|uk|dot)(?= ?(?:$|[.,!?)]|dot|underscore|slash|\d|you|or|message|is|,))|[a-z]{3,} (?:underscore|unterstrich|tiret|trattino|dash|dot|punto|punkt|\(dot\)) [a-z]{3,}`,
    unlessFollowed: /^ ?(?:matrix|printer|is my favou?rite)/,
    unlessPreceded: ending`(?:the|is) `,
  },
  {
    phrase: phrase`(?:g ?mail|gee male|outlook|electronic mail|mail service|po box|p\.o\. box)(?: \w+){0,4} (?:is|dot|invented|address|service|contact|there|quickly|of the|\d+)|(?:at symbol|with a circle|usual at|arroba|arobase|chiocciola|at icloud|at proton|you know the rest|search engine)`,
    unlessPreceded: NO,
  },
  {
    phrase: phrase`(?:country|area|town) code|starts? with \d|begins with oh|number that begins|(?:ending|ends|end) (?:in|on|with|with zero|\d{2,})|the landline|ring me (?:on|in|any|after|at)|give me a (?:bell|ring)|gimme a bell|ring tonight|call me (?:on|in|any|at|:)|text only|text me (?:instead|on|at|,)|text >>>|text (?:it|stop)|reach me (?:on|by|at)|by phone|voicenotes only|leave word|leave a message|cant be arsed with this app|(?:rarely|never|hardly|dont|seldom|not) (?:much |often |really |ever )?(?:look in|on here|on this app|check (?:messages|this)|open this|here much|hier|get notifications)|off app|no app chat|deleting this|this (?:site|app) (?:charges|glitches)|open this app once|app time is limited|bin (?:selten|nie) hier|hier nie online`,
    unlessPreceded: ending`(?:please dont|dont|never|wont|mum|mom|mother|to) `,
    unlessFollowed:
      /^ ?(?:if you (?:like|love)|sunshine|crazy|old|boring|a nerd|for (?:your|a) (?:dog|dinner))/,
  },
  {
    phrase: expression`(?:\b(?:triple|double|dreimal) ?(?:one|two|three|four|five|six|seven|eight|nine|zero|oh|\d)\b|\bfive[ -]five[ -]five\b|\b555\b|\b5 ?five ?5\b)`,
  },
  {
    phrase: /(?:📸|📷|👻|☎️?|📱|➡️?|✈️?) ?(?:➡️?|:|=|@)? ?@? ?[a-z0-9._]{4,30}(?:$|[\s.,!])/u,
    unlessFollowed: /^(?:only|analog|film|daily|here)/,
  },
  {
    phrase: phrase`(?:come (?:by|find me)|find me behind|my address|knock at|second bell)(?: \w+){0,6} (?:\d+|road|street|lane|counter)|\d+ [a-z]+ (?:road|street|lane|avenue), (?:second|come|ring)|first name dot last|name at my company|(?:first|fore) ?name(?:,| and| then)? (?:\w+ ){0,4}(?:animal|full stop|surname|no space)|my name (?:plus|there is|on there)|google my name|take out the spaces|swap the stars|take the spaces|only one in the phone ?book|the fruit plus`,
  },
  {
    phrase:
      /#\d{4}\b|\b(?:bbm pin|qq|zalo|tele|psn|kakao id|wickr me at)[: ]+(?:at )?[a-z0-9_.#]{5,}\b/,
  },
]
