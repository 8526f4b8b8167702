import { ending, phrase, type PhraseRule } from '../phrase-rule.js'

const NO = ending`(?:no|not|dont|never|anti|customs|police|against|caught|research\w*|nurse|counsell?or|pharmac\w+|hiker|off) (?:\w+ ){0,3}`
const DRUG = phrase`
  (?:weed|bud|za|loud|kush|haze|green stuff|flower|gras|hasch|wiet|mota|beuh|shit|maconha|erba|fumo|coke|coca|koks|cocaine|perico|
  colombian|mdma|molly|md|xtc|ecstasy|bala|taz|tachas|teile|speed|pep|ketamine|ket|lsd|acid|tabs|dmt|shrooms|mushrooms|ghb|
  meth|tina|cristal|heroin|fent|oxy|percs?|lean|sizzurp|codeine|tramadol|rivotril|xanax|xans|xanax bars|valium|addys?|adderall|
  steroids|tren|growth hormone|pills|pillen|pastillas|painkillers|powder|snow|gear|edibles|carts|vapes|blues|trees?|hash|doce|scripts?|happy pills|study pills)`

/** Drugs for sale or sought, in slang and hints too. */
export const drugOffers: readonly PhraseRule[] = [
  {
    phrase: phrase`(?:sell(?:ing)?|sale|sells|vend[eo]|verkaufe|je vends|deliver(?:y|ed|s)?|deliver(?:ing)?|got|have|tengo|tenho|jai (?:de la|du)|j ai|stock|supply|ship(?:s|ping|ped)?|offer(?:s|ing)?|serv(?:e|ing)|plug for|dealer|provide|hook you up with|order|in stock|on deck|source|buy|script for|best seller|ask (?:me )?about (?:the )?(?:special )?|available|prices on|hab immer was gutes da,?) (?:\w+ ){0,5}${DRUG}`,
    unlessPreceded: NO,
    unlessFollowed:
      /^ ?(?:zero|addict|is my (?:dog|cat)|bread|soup|pullers?|shop|in july\? i ski|for the garden|emulsion|beds?|day)/,
  },
  {
    phrase: phrase`${DRUG} (?:\S+ ){0,5}(?:for sale|in stock|on deck|available|delivered|delivery|\d+ (?:each|a (?:pill|pop|gram|piece))|each|by the (?:ounce|quarter|bottle|gram)|cheap|prices?|stealth|ask for|serious buyers|party supplies|livraison|entrega|consegno|gunstig|schreib mich|zips|buyers|ships|no prescription|we send|dosen|minimum)`,
    unlessPreceded: NO,
  },
  {
    phrase: phrase`(?:the plug|ur plug|plug (?:here|for)|your (?:\w+ )?(?:dealer|plug)|ticker deines|candy man|24 hour line|hit my line|tap in|the good good|menu changes|ask for the list|no prepay|no samples|free samples?|serious buyers|two grams|grams? (?:for|of) (?:\d+|the weekend)|\d+ (?:a|the|le|el) (?:gram|gramo|g)|le g ?(?:$|[.,])|per gram|whole zip|zips?,? (?:and|in|half)|ounces, halves|half ounce|one eighth|an eighth|eighths|quarters available|by the quarter|ounces|party packs?|move weight|need a bag|bags?,? (?:good gear|come thru)|small bags|full bag|stocked up|fully stocked|price if you buy ten|fair weights|crypto only|escrow ok|stealth|plain envelope|from holland|no prescription|without a doctor|doctor wont|doctors said no|what do you need\?|need a pick me up|running low\?|need something stronger|stronger than aspirin|keep(?:s)? you awake|staying awake|coming down|through the weekend|dance until noon|wachbleiben|ficar ligado|si quieres volar|faire la fete,|get(?:s)? you high|nose is bored|score some|sell for me on campus|off prescription|certain substances|tested for purity|smoke\. reasonable|grow my own|grew too well|special brownies|brownies,? \d+|brownies will|little envelope|over the border)`,
    unlessPreceded: NO,
  },
  {
    phrase:
      /(?:🍬|❄️?|💊|🍃|🌿|🍁|🐴|🔌)[^\n]{0,30}(?:menu|stock|request|deliver|24\/?7|plug|\bx\b|sale|first time|sunday|🔌|⛽)|(?:snow|pick me up|delivered|sample)[^\n]{0,30}(?:❄️?|💊|🍃)/u,
  },
]
