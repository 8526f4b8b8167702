import { ending, phrase, type PhraseRule } from '../phrase-rule.js'

const JOKE = ending`(?:would|id|could|at (?:\w+ )?|will probably|not going to|i literally) `
const YOU =
  '(?:you|u|ya|her|him|them|your (?:\\w+ )?(?:family|car|house|dog|kids)|my ex|my wife|my boss|anyone|everyone|whoever|somebody|someone|women|woman|girls?|cheaters?|liars?)'

/** Threats, boasts of violence, and blackmail in other words than `threats`. */
export const menace: readonly PhraseRule[] = [
  {
    phrase: phrase`(?:i will|ill|im going to|gonna|ima|i would|id) (?:\w+ ){0,2}(?:hunt|find|burn|stab|shoot|cut|break|smash|strangle|choke|poison|drug|gut|beat|hurt|ruin|destroy|leak|post|publish|come for|come thru|come get|track|follow|rape|throw acid) (?:\w+ ){0,2}${YOU}`,
    unlessPreceded: JOKE,
    unlessFollowed:
      /^ ?(?:at |a |down a|in (?:mario|chess|scrabble|catan)|the best|parking|dumplings|on (?:the )?dance)/,
  },
  {
    phrase: phrase`(?:know|found out|got|have) (?:\w+ )?(?:where (?:you|u|she|he) (?:live|lives|work|works|park|sleep|sleeps)|which street|what street|your (?:street|address|route|plates)|u live|ur plates|(?:his|her|your) (?:\w+ ){0,2}route)(?: (?:you|u|she|he|they) (?:live|lives|work|works|park))?|watch (?:the|your|her) house|parked outside|outside (?:your|her) (?:gym|house|work|window|door)|follow girls|followed (?:her|you) home|check under (?:his|her|your) car|good locks|your brakes|bremsen`,
    unlessFollowed: /^ ?(?:the good|to (?:find|get)|good|best|i (?:am|put|left))/,
  },
  {
    phrase: phrase`(?:get(?:s)?|find|put) (?:a )?(?:knife|bullet|acid|stitches|slugs?) (?:in|to|for)|acid (?:for|in|on|to)|throw acid|in (?:a|the) (?:ditch|canal|river|trunk|boot|box|ground|closed casket)|in the forest|finish(?:es|ed)? (?:in|at) (?:the )?hospital|in hospital\. behave|finit a l ?hopital|a (?:una|la) zanja|pra vala|needed? (?:a closed casket|\d+ stitches)|kneecaps|never (?:walk(?:ed)?|walked right)|wont walk|wont (?:make it|scream|breathe)|no one will ?(?:$|[.,])|belong to me|not alive|closed casket`,
    unlessPreceded: ending`(?:swim|swam|fell|fish\w*) `,
  },
  {
    phrase: phrase`(?:bomb|rifle|gun|shotgun|bullets?|machete|chloroform|petrol|gasoline|matches) (?:\w+ ){0,6}(?:ex|name|them|you|her|him|school|office|work|cheaters|graduation|homeroom|boot|grudges|address|wood|list)|(?:shoot|burn|blow up|bomb|set fire to|on fire) (?:\w+ ){0,3}(?:school|mosque|synagogue|church|office|clinic|place|house|everyone|mall|courthouse|parade)|(?:mosque|synagogue|clinic|church|school|mall|courthouse|parade) (?:\w+ ){0,5}(?:burn|next|blood|bomb|remember|news|shot)|day of retribution|blood at the|gonna get shot|run over`,
    unlessPreceded: ending`(?:film|movie|novel|museum|history|photo\w*|no) (?:\w+ ){0,2}`,
    unlessFollowed: /^ ?(?:film|photos?|wedding|squad)/,
  },
  {
    phrase: phrase`(?:i|would) (?:hit|beat|slap|smack|punish|put (?:my )?hands on|break) (?:my |the |his )?(?:women|woman|wife|girls?|girlfriends?|any woman)|(?:beaten|beat|respect beaten) into|have a belt for|take(?:s)? (?:no )?for an answer|when they disobey|whether (?:she|you|the other party|u) (?:agrees?|wants?|swipe)|she said no\. ?(?:by|and|then)|put something in (?:her|his|your) (?:glass|drink)|drug (?:your|her) drink`,
    unlessPreceded: ending`(?:dont|never) `,
  },
  {
    phrase: phrase`(?:leak|post|share|send|publish|enjoy|sees?) (?:\w+ ){0,3}(?:your |those |every |the |ur )?(?:nudes|pictures?|photos|pics|videos?) (?:\w+ )?(?:you sent|if you|u sent|unless|and your)|(?:i have|ive got|got dirt and|have) (?:your|those|all your|ur) (?:pictures|photos|nudes|pics)|remember what you sent|answer my calls|everyone (?:at|in) (?:your|ur) (?:\w+ )?(?:sees|will see)|pay or`,
  },
  {
    phrase: phrase`(?:reject|ghost|unmatch|block|ignore|cross|cheat on|lie to|leave|mess with|touch|say no to|betray) (?:me|my (?:\w+ )?(?:sister|truck|girl|wife|daughter|kid|car))(?: and|,| again and| or)(?: \w+){0,2} (?:will|ill|u|you|see what|your|get|gets|put|its over|im)`,
    unlessFollowed: /^ ?(?:cry|miss|be sad|forgive|bake|sing|will cry)/,
  },
  {
    phrase: phrase`(?:snitches get|tick tock,|settles? scores|ask the river|pay with his life|will pay (?:on the|with (?:his|her|your|their))|you have (?:\d+|three) (?:hrs|hours|days)|(?:u|she|he|my ex) (?:got|has|have) (?:\d+|two|three) (?:hrs|hours|days)|u got \d+ ?hrs|will regret|youll regret|on a t-shirt soon|remember my name|sharpening|another (?:\w+ )?word and|still have the shovel|make you suffer|what happens to (?:ur|your) car|see what happens|or 🩸)`,
    unlessPreceded: ending`(?:i|ill|never) `,
  },
  {
    phrase: phrase`(?:te voy a|lo voy a|la van a|vou te|te vou|ti|je vais (?:te|le|la)|je te|ich (?:werde )?dich|dich) (?:matar?|romper|partir|buscar|quebrar|ammazz\w+|sfregi\w+|tuer|casser?|crever|plante|umbringen|finden|finde ich|abstechen)|bist du dran|wird brennen|steche? ich ab|finisce male|je le plante|quebro|sei onde voce mora|se donde vives|so dove abiti|sais ou tu habites|wo du wohnst|weet ik je te vinden|dejar en una`,
  },
]
