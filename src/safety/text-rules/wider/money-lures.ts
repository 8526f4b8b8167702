import { ending, phrase, type PhraseRule } from '../phrase-rule.js'

const NO = ending`(?:no|not|dont|never|anti|stop|please no|against|without|catch|ask me (?:for|to)|cheated by|kein\w*|pas de|ni preguntes|non|bitte keine) (?:\w+ ){0,4}`

/** Requests for money, and lures into schemes. */
export const moneyLures: readonly PhraseRule[] = [
  {
    phrase: phrase`(?:invest|deposit|put in|start(?:er)? (?:kit|pack|capital|kapital)|startkapital|buy ?-?in|stake|einzahlen|invierte|investis(?:sement)?|invista)(?: \w+){0,4} (?:with me|with my|\d{2,}|conmigo|avec moi|comigo|returns?|profits?|withdraw|rendite|garanti\w*|guaranteed|for 99|250|platform|pool|minimum|reicht)|(?:minimum|only|small|first you|starter pack|initial) (?:deposit|buy ?-?in|investment|put|kit|\d{2,3})`,
    unlessPreceded: NO,
  },
  {
    phrase: phrase`(?:\d{2,5}|hundred|thousand|k|dollars?|euros?|percent|prozent|%) (?:\w+ )?(?:a|per|al|am|por|every|each|all)? ?(?:day|daily|week|tag|semana|dia|mois|month|diario)(?: (?:from home|online|with|von|von zu hause|easy|desde|working))|(?:\d{2,5}|one hundred|a hundred) (?:in|into|to|rein|tu recuperes)(?:,| →|-|\s)*(?:\w+ )?(?:\d{3,6}|a thousand|1k|2k|1000) ?(?:out|raus)?|flip (?:\d+|your|money)|(?:turn|flip) \d+ into \d|tripl(?:e|ed)|doubl(?:e|ed|es|ing) (?:your|it|my|in)|duplica tu|multiply money|multiplying|daily profit|\d+ ?(?:%|percent|prozent) (?:daily|a day|last month|of what|win rate)|profit of|lucro todo|win rate|gains? garanti|risk ?free|guaranteed (?:returns|profit)|never (?:once )?lost a|generational wealth|financial freedom|passive income|quit my 9|retired (?:with|already)|get blessed|withdraw(?:als)? any ?time|proof of payout`,
    unlessPreceded: NO,
  },
  {
    phrase: phrase`(?:crypto|bitcoin|btc|usdt|forex|trading|arbitrage|signals?|token|pre-?sale|coin|broker|mentor(?! so)|staking|nft|binary)(?: \w+){0,4} (?:group|bot|mentor|system|platform|pool|presale|pre-sale|sale|closes|contact|coach|teach|expert|signals|income|win|made me rich|guaranteed|easy|returns|minimum|in now)|(?:my|our|his|join my|join our) (?:\w+ )?(?:mentor|broker|trading|signal|crypto|forex|betting|apostas|trader|trading ?-?bot|bot)s?(?: \w+){0,2}|mit meinem trading`,
    unlessPreceded: NO,
  },
  {
    phrase: phrase`(?:send|wire|transfer|lend|loan|give|spot|advance|forward|prestame|deposita(?:me)?|manda(?:mi|me)?|envoie|prete(?:-| )moi|avancer|leihen|uberweisen|uberweis|schick|ricarich\w+|stuur|faz um|cover|buy) (?:me |us |mir |him |my |un |um |o |algo |this |a girl )?(?:some |a |kind )?(?:money|geld|dinero|soldi|argent|pix|\d{2,4}|something|hundo|algo|spare|cash|gas|rent|funds?|groceries|tikkie|twenty|ticket|coffee via|lunch ?$)`,
    unlessPreceded: NO,
    unlessFollowed: /^ ?(?:for (?:drinks|dinner)|is (?:on|due)|control|free)/,
  },
  {
    phrase: phrase`(?:need|needs|brauche|necesito|fehlen|mi mancano|mi servono|jai besoin|besoin|short|behind on|cant pay|help (?:me|a|an|with|out)|help paying|could use) (?:\w+ ){0,5}(?:rent|bills?|surgery|operation|hospital|loyer|miete|ticket|flugticket|affitto|biglietto|visa|passport|fee|gas|money|geld|dinero|\d{2,4} (?:for|to|euros?|dollars?|until|till|fur|per|pour)|deep pockets|heating|sponsor|investor|groceries|nails|argent|aide)`,
    unlessPreceded: NO,
    unlessFollowed: /^ ?(?:nurse|bed|to work|for books|driver|mechanic)/,
  },
  {
    phrase: phrase`(?:cash ?app|cashtag|venmo me(?! ?\\?)|zelle me|(?:via|by|per|my|to|me|your) paypal|payid|pp\.me|ko-?fi|gofundme|postepay|moneygram|western union|oxxo|iban|transcash|pcs|(?:need|send|want|buy) (?:\\w+ )?gift ?cards?|gift cards? (?:shows|only)|steam cards?|itunes cards?|play card|amazon wishlist|bitcoin wallet|bc1q?\w*|0x[0-9a-f]+|wallet:|account number|bank account|transfer service|recharge|my account (?:is )?(?:frozen|blocked)|conta)(?= ?(?:$|[.,:!?)]|\w|\d|is|=))`,
    unlessPreceded: NO,
    unlessFollowed: /^ ?(?:are not|engineer|developer|is empty|employee|at work|arent)/,
  },
  {
    phrase: phrase`(?:inheritance|estate|beneficiary|gold|parcels?|goods|funds?|box|package|customs|block(?:ed|s) in|frozen|pension comes|father'?s estate|uncles mine|widow(?:er)? with|oil (?:platform|engineer|rig)|soldier|army doctor|marine engineer|general)(?: \w+){0,12} (?:fee|fees|release|refund|pay|paying|paid|investor|half|third|share|receive|stuck|million|help|deposit|gift cards?|reimburse|blocks|a courier)`,
    unlessPreceded: NO,
  },
  {
    phrase: phrase`(?:be your own boss|work from home|von zu hause|desde (?:casa|tu celular)|da casa|join (?:my|our) (?:team|group)|business opportunity|ask me how(?: i quit|,|$)|ask me how you can|earn (?:while|\d+|with|from)|verdiene|gana dinero|guadagna|renda extra|seven figure|dm me freedom|task apps?|network of|mlm|referral|use my code|slide in if u want|comment bag|spots left|open a bank account|use (?:yours|your account|your paypal)|(?:keep|is) (?:10|20) ?% |receive (?:a transfer|parcels)|each, no questions|easy cash|pay (?:u|you|ya|it) back|repay|rembourse|te pago|i refund|pago llegando|bless(?:es)? others|every 5 counts|anything helps|any amount|any small contribution|cualquier ayuda|whoever (?:helps|buys)|rent due|due tmrw|birthday fund|needs? an operation|operation and|send the fee|sends? (?:a )?coffee first|cant eat tonight|if i had the fare|my ticket to you)`,
    unlessPreceded: NO,
  },
]
