import { beginning, compileRules, expression, phrase } from './phrase-rule.js'
import { REFUSED } from './negations.js'

/** Names that mean a drug wherever a sale is meant. */
const DRUG = phrase`
  (?:weed|marijuana|cannabis|ganja|hash|edibles|thc(?: (?:carts|vapes|gummies))?|dabs|zaza?|coke|
  cocaine|blow|yayo|crack|molly|mdma|mandy|ecstasy|xtc|pingers|xan(?:s|ax|nies)?|bars|benzos|
  valium|oxys?|oxycodone|percs?|percocet|addys?|adderall|vyvanse|ritalin|opioids?|opiates|ket|
  ketamine|lsd|acid tabs|acid|tabs|shrooms|magic mushrooms|mushies|psilocybin|dmt|meth|crystal|
  amphetamines?|heroin|smack|fent|fentanyl|codeine|tramadol|ghb|pills|party favou?rs|steroids|
  drugs|narcotics|8 ?balls?|eighths|bud|kush|dope)`
/** Names that mean nothing else, for sentences that only list and price. */
const SURE_DRUG = phrase`
  (?:weed|marijuana|ganja|edibles|thc (?:carts|gummies|vapes)|cocaine|coke|molly|mdma|ecstasy|xtc|
  xans|xanax|xannies|benzos|oxys?|oxycodone|percs|percocet|addys?|adderall|ket|ketamine|lsd|
  shrooms|magic mushrooms|dmt|meth|heroin|fent|fentanyl|za|zaza|8 ?balls?)`
const LEGAL = expression`
  \b(?:pharmac\w*|chemist|doctor|nurse|anaesthe\w*|anesthe\w*|not|never|dont|no|legal|narc|police|
  research|rehab|sober|recovery|recovering|garden\w*|allotment|sold|used to|diet|vanilla|cherry|
  zero|sugar|ice cream)\b`

const breaksRule = compileRules([
  {
    phrase: phrase`
      (?:420|weed|bud|green|edibles|pills|powder|bars|tabs|party favou?rs|candy|treats|
      za) (?:\w+ )?(?:delivery|deliver\w*|drop ?offs?|for sale|menu|plug|connect)|(?:delivery|
      menu|drop ?offs?)[^.!?\n]{0,25}(?:ounces|eighths|edibles|grams|oz|8ths|weed|bud)|(?:pills|
      powder|weed|bud|herb|tabs|gas|party favou?rs)[^.!?\n]{0,40}(?:i got (?:you|u|it)|
      got you covered|whatever you need|hmu|hit me up)|(?:coke|weed|drug|meth|pill|
      molly) (?:dealer|plug|man|guy|seller)(?= ?(?:$|[,.!?;]|(?:here|in|near|same|24|available|
      hmu|dm)\b))|(?:i |we )?deliver (?:\w+ ){0,3}(?:weed|edibles|coke|pills|molly)|
      whos? (?:wants|needs|got) (?:weed|coke|molly|pills|xans|mdma|shrooms)`,
    unlessPreceded: expression`${REFUSED.source}|${LEGAL.source}`,
    unlessFollowed: beginning`, legally|\(legal|pharm`,
  },
  {
    phrase: phrase`
      (?:(?:selling|sell|sells|dealing|slinging|supplying|supply|plug for|dealer for|
      stocked on) (?:\w+ ){0,2}${DRUG}|(?:got|have|moving|delivering|shipping|offering|serving|
      in stock|for sale) (?:\w+ ){0,2}${SURE_DRUG})`,
    unlessPreceded: expression`
      ${REFUSED.source}|${LEGAL.source}|\b(?:ive|have|my|hes|shes|people|life|it) $`,
    unlessFollowed: beginning`
      and rum|zero|light|floats?|of|boilers?|boats?|machines?|out of|killer|whacker|whacking|suit|
      pans?|bags?|to (?:the|make)|for (?:plants|growing)|in my (?:garden|allotment|lawn)|
      (?:the )?boring|legally|over the counter|cream|skates?|skating|hockey|tyres|boots|ploughs?|
      plows?|cones?|fingers|thumbs|jokes|, ?(?:sadly|legally)|on prescription|from behind`,
  },
  {
    phrase: phrase`
      (?:need|want|looking for|after|anyone need|who needs|if you need|ask me for|hmu for|
      hit me up for|dm (?:me )?for|message (?:me )?for|text (?:me )?for|come to me for|
      i got you on|hook you up with|source for) (?:some |any |that |good |the |your |cheap |or |
      and ){0,4}(?:\w+ (?:or |and )?)?${SURE_DRUG}`,
    unlessPreceded: REFUSED,
    unlessFollowed: beginning`
      zero|float|whacker|and (?:popcorn|ice cream|a slice)|with ice|or pepsi`,
  },
  {
    phrase: phrase`
      ${SURE_DRUG}(?:,? (?:and |or |& )?${DRUG}){0,3}[^.!?\n]{0,25}(?:dm|for sale|menu|delivery|
      deliver|best prices?|cheap|prices|hmu|hit me up|in stock|available|ounces?|quarters?|grams?|
      next day|shipping|plug|per g|top quality|bulk|tick)`,
    unlessPreceded: expression`${REFUSED.source}|${LEGAL.source}`,
    unlessFollowed: /^ ?(?:bank|socket)/,
  },
  {
    phrase: phrase`
      ${SURE_DRUG}, ?${DRUG},? ?(?:and |or |& )?${DRUG}[^!?\n]{0,25}(?:prices?|sale|deliver\w*|
      menu|dm|stock|hmu|town|plug)`,
  },
  {
    phrase: phrase`
      (?:your |ur |im the |im your |the local )(?:local |friendly |favou?rite ){0,3}(?:plug|
      drug dealer|weed man|weed dealer|coke dealer|dealer)(?= ?(?:$|[,.!?\n🔌]|(?:for|of|in|hmu|dm|
      who|with)\b))`,
    unlessPreceded: expression`
      ${REFUSED.source}|${LEGAL.source}|\b(?:antique|car|art|book|record|vinyl|card|blackjack|
      spark|bath|pull|pulled) ?(?:a )?$`,
    unlessFollowed: beginning`
      for (?:my|the) (?:amp|kettle|guitar|bath)|of (?:antiques|art|vinyl|books|legal|cards)|
      in (?:antiques|art|vinyl|books|rare)|,? ?(?:legally|but legal|\(pharm|pharm|the pharm)`,
  },
  {
    phrase:
      /🔌[^.!?\n]{0,30}(?:🍁|🍃|❄|💊|🍄|weed|bars|percs|coke|molly|pills|menu|hmu|dm)|(?:🍁|🍃|❄|💊|🍄)️?[^.!?\n]{0,12}(?:🔌|for sale|menu|delivery|in stock)/u,
  },
  {
    phrase: phrase`
      (?:verkaufe|vertick\w*|liefere|hab|biete) (?:\w+ ){0,2}(?:gras|koks|weed|mdma|speed|teile|
      ecstasy|keta|drogen|hasch|haze|cali)|(?:vends|livraison|dispo|
      livre)(?: de)? (?:\w+ ){0,2}(?:beuh|shit|coke|cocaine|mdma|weed|herbe|drogue|cc)|(?:vendo|
      venta de|entrego|tengo) (?:\w+ ){0,2}(?:marihuana|mota|coca|cocaina|mdma|maria|drogas?|
      cristal|maconha|erba|droga|fumo|bala|tusi)`,
    unlessPreceded: REFUSED,
  },
  {
    phrase: phrase`
      trappin|trapping (?:all day|out)|(?:hmu|hit me up|text me|dm me|dm|message me) for (?:the |
      some |that |good )?(?:gas|za|bud|trees|loud|green|tree|zips?|qps?|fire|exotics?|packs?)|
      (?:psychedelics|opioids|opiates|benzos|${DRUG}) (?:for sale|4 sale|in stock|available|
      discreet|shipping)`,
    unlessPreceded: expression`${REFUSED.source}|${LEGAL.source}`,
  },
  {
    phrase: phrase`
      (?:i |weve |we |ive )?got (?:\w+ )?(?:bud|weed|pills|coke|bars|tabs|gas|molly|za)(?= ?(?:$|
      [,.!;]))`,
    unlessPreceded: expression`${REFUSED.source}|${LEGAL.source}`,
  },
])

/** Whether a folded text offers drugs for sale. */
export function findsDrugSale(text: string): boolean {
  return breaksRule(text)
}
