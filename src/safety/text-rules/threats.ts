import {
  beginning,
  compileRules,
  ending,
  expression,
  phrase,
  type PhraseRule,
} from './phrase-rule.js'

/** Announces an act of the writer. */
const WILL = phrase`
  (?:ill|i will|i would|id|i can|i could|im going to|im gonna|i am going to|i am gonna|imma|ima|
  gonna|going to|want to|wanna|we will|well|we are going to|were going to|i might|i plan to|
  i swear to|i promise to|love to|like to|planning to|about to|thinking (?:of|about)|
  someone should|somebody should|somebody needs to)`
/** A person or group as the object of violence. */
const VICTIM = phrase`
  (?:you|u|ya|her|him|them|your (?:\w+ )?(?:family|kids|mother|friends|dog|cat|parents|wife|
  husband|boyfriend|girlfriend|throat|face|neck|legs|arms)|my (?:ex|exes|ex-?(?: ?)(?:wife|
  husband|boyfriend|girlfriend)|wife|husband|girlfriend|boyfriend|boss|neighbou?rs?|teacher|
  landlord)|all of you|every(?:one|body)|someone|somebody|people|a (?:cop|woman|man|girl|kid)|
  women|girls|any (?:girl|woman|man|guy)|anyone who|anybody who|every (?:feminist|woman|man|girl|
  guy|one of (?:you|them))|feminists|whoever|the next (?:person|one|guy|girl|man|woman)|(?:the|
  that) (?:bitch|bastard|whore|slut))`
/** Continuations that turn violence into a game, a sport or a joke. */
const IN_PLAY = beginning`
  at (?!work|school|your|my|the (?:office|mall|church))|with (?:kindness|laughter|puns|love|jokes|
  laughs|my (?:cooking|puns|jokes|dance|sarcasm|dad)|food|carbs|hugs|cuteness|snacks|memes|
  compliments|karaoke|cake)|in (?:a |an )?(?:chess|scrabble|mario|catan|monopoly|uno|ping|pool|
  tennis|a |trivia|bowling|fifa|any|board|cards?|karaoke|the (?:kitchen|pool|gym)|every|rock|arm|
  thumb|table|mini|beer|foosball|darts|smash|wordle|quiz|crossword|fantasy)|on the (?:court|dance|
  pitch|track|slopes|field)|to the|when it comes|every time at|over a? ?(?:board|game|scrabble|
  coffee)|a (?:drink|coffee|beer|look|photo|text)|some|for (?:fun|a living|money|charity)|back in|
  in photos|with (?:a|my) (?:camera|lens|nikon|canon|leica)|,? ?\(?photograph`

/** "I will break your legs", unless as a figure of speech or in a game. */
const announcedViolence: PhraseRule = {
  phrase: phrase`
    ${WILL} (?:\w+ ){0,2}(?:find (?:you|out where (?:you|she|he|they) lives?) and |come and |
    fucking |literally |personally |just |hunt you down and |track you down and |
    actually ){0,4}(?:(?:kill|murder|stab|shoot|strangle|choke|slaughter|behead|hurt|harm|rape|
    torture|maim|butcher|poison|punch|slap|attack|bash|slit|lynch) (?:the (?:fuck|shit|
    hell) out of )?${VICTIM}(?: up| down| to death)?|(?:beat|cut|burn|break|smash|end|ruin|
    destroy) (?:your (?:face|neck|legs|arms|throat|family|life|house|home|car|flat|bones|skull)|
    (?:the (?:fuck|shit|hell) out of |all of )(?:you|her|him|them)|(?:you|her|him|them) (?:up|
    to death|alive|bloody|senseless|black and blue)|(?:you|her|him)(?= ?(?:$|[.!;\n]|(?:if|when|
    till|until|with (?:a|my) (?:belt|bat|fists?|stick|knife))\b))))`,
  unlessPreceded: expression`
    \b(?:never|not|dont|wont|promise not to|would never|without|cant|nobody|no one|puns|jokes|
    if i|doesnt|didnt|afraid) (?:\w+ ){0,2}$`,
  unlessFollowed: expression`
    ${IN_PLAY.source}|^ ?(?:a |an |some |off|in line|short|into|free|the last|slice|piece|
    (?:\w+ )?bread|hair|deal|loose|eggs?|feet|feelings|heart|hearts|laugh|smile|budget|news|own)`,
}

/** "I will find you and …". */
const pursuit: PhraseRule = {
  phrase: phrase`
    (?:i will|ill|im gonna|gonna|going to|imma) (?:find|hunt|track|come (?:for|after)|
    get) (?:you|her|him|them)(?: down)? (?:and|if|when|where|at your)`,
  unlessFollowed: expression`
    ^ ?(?:and )?(?:the (?:best|last|perfect)|hug|feed|dance|laugh|a (?:seat|table|blanket)|
    tacos)`,
}

/** Violence that a detail makes real: "kill you in your sleep". */
const violenceWithDetail: PhraseRule = {
  phrase: phrase`
    (?:kill|murder|stab|shoot|strangle|slit|behead|rape|hurt|harm|bury|burn) (?:you|u|her|him|
    your (?:family|kids|throat|mother)|everyone|everybody|them all|
    you all)(?: and your (?:family|kids)| in your sleep| slowly| with my (?:bare|
    own) hands| one day| someday| for real)`,
  unlessPreceded: ending`
    wont|dont|not|never|doesnt|cant|didnt|might|puns|jokes|may|could|trying to|coffee|food|
    chilli|spice|hills?|stairs|hot sauce|laughing|looks could|does it|what doesnt|to`,
}

/** Bombs, fire or shooting at a place. */
const attacksOnPlaces: PhraseRule = {
  phrase: phrase`
    (?:shoot(?:ing)? up|blow(?:ing)? up|bomb(?:ing)?|burn(?:ing)? down) (?:my |the |a |your |
    this |that |an |our |his |her |some ){1,3}(?:\w+ )?(?:school|church|mosque|synagogue|office|
    mall|house|home|place|airport|city|town|hospital|workplace|club|festival|parliament|
    building|street)`,
  unlessPreceded: expression`
    \b(?:not|never|didnt|almost|nearly|once|accidentally|dont|without|film|movie|when i|grew up|
    cyclone) (?:\w+ ){0,2}$`,
}

/** A weapon taken to a place or a person. */
const broughtWeapons: PhraseRule = {
  phrase: phrase`
    (?:bring(?:ing)?|taking|carry(?:ing)?|got) (?:a |my |the |an )(?:gun|knife|rifle|bomb|
    machete|shotgun|pistol|weapon|ar ?-?15) (?:to|for|into) (?:\w+ ){0,4}(?:school|you|mall|
    work|church|office|class|date|them|her|him|town|party|concert)`,
  unlessPreceded: /\b(?:not|never|dont|kitchen|chef|chefs|butter|oyster|palette) ?$/,
}

/** "You will all die", "she deserves to suffer". */
const wishedHarm: PhraseRule = {
  phrase: phrase`
    (?:you|she|he|they|u|my ex|all of you|everyone) (?:will|are going to|is going to|are gonna|
    gonna|is gonna|should|deserves? to|better|must|re gonna|needs? to) (?:all |fucking |soon |
    probably ){0,4}(?:die|bleed|suffer|be (?:shot|killed|dead|sorry you)|pay for (?:it|this|
    what)|regret (?:it|this|everything)|watch (?:your|her|his|their) back|burn in hell|
    end up in a ditch|disappear forever|sleep with one eye)`,
  unlessPreceded: ending`think|jokes?|laugh|puns|someday we`,
  unlessFollowed: beginning`
    of laughter|laughing|for (?:this|these|my) (?:recipe|cake|lasagne|tacos|cookies)|alone|
    happy|eventually|trying|inside|missing|not|on (?:this|that) hill|when you (?:taste|see|hear)`,
}

/** "You're gonna regret this". */
const wishedHarmToYou: PhraseRule = {
  phrase: phrase`
    youre (?:gonna|going to) (?:die|bleed|suffer|pay for|regret (?:it|this|meeting|crossing)|
    be sorry)`,
  unlessFollowed: /^ ?(?:laughing|of laughter|alone)/,
}

/** Set phrases of intimidation, and violence against women as a view. */
const fixedThreats: PhraseRule = {
  phrase: phrase`
    (?:watch your back|sleep with one eye open|i know where (?:you|she|he|they|your (?:kids|
    family)) (?:live|lives|sleep|sleeps|work|works|go to school)|snitches get stitches|
    put a bullet in (?:you|your|my|her|him|his|the|every)|bullet in (?:your|her|his|the|
    my ex) ?\w*|you(?:ll| will) (?:never be found|end up (?:dead|in a ditch)|be found dead)|
    rip your (?:head|heart|throat|face) (?:off|out)|cut (?:you|her|him) (?:open|into|to pieces|
    if)|your days are numbered|dead (?:meat|man walking) if|beat (?:my|your|his) (?:wife|
    girlfriend|woman|kids)|(?:women|bitches|girls|she|wives) (?:need|needs|deserve|
    deserves) (?:a |to be )(?:beating|beaten|slap|slapped|smack|raped)|(?:gonna|will|want to|
    like to|fantasi[sz]e about|love to) rap(?:e|ing) (?:\w+ ){0,2}(?:you|her|him|women|girls|
    someone|a)|or else ill hurt|or ill hurt you)`,
  unlessPreceded: /\b(?:no|not|never|dont|yoga|physio|gym) (?:\w+ )?$/,
}

/** "I'll slap you". */
const directBlows: PhraseRule = {
  phrase: phrase`
    (?:ill|i will|i) (?:hit|slap|punch|smack|choke|hurt|stab|knock) (?:you|u|her|him|
    any (?:girl|woman|man|guy)|women|girls)(?: out| up)?|(?:ill|i will|i) beat (?:her|him|
    any (?:girl|woman|man|guy)|women|girls)`,
  unlessPreceded: /\b(?:never|not|dont) $/,
  unlessFollowed: IN_PLAY,
}

/** The result of violence: hospital, broken bones, acid. */
const injuries: PhraseRule = {
  phrase: phrase`
    (?:you|she|he|they|ull|youll|everyone) (?:will |gonna |would )?(?:end|wake|
    finish) up (?:in (?:an? |the )?(?:hospital|er|icu|morgue|grave|ditch|wheelchair|body bag)|
    six feet under)|(?:put|send) (?:you|him|her|them) in (?:an? |the )?(?:hospital|grave|ground|
    morgue|coffin|wheelchair)|(?:come|coming|show up|turn up|be) (?:to|at|outside|
    round) (?:your|her|his|their) (?:house|home|door|work|place|flat|
    school) (?:\w+ ){0,3}(?:knife|gun|bat|hammer|machete|fists?|acid|petrol|revenge)|(?:break|
    smash) (?:every|all|each|both|your) (?:\w+ ){0,3}(?:bones?|legs|arms|knees|teeth|fingers|
    jaw|nose|skull|face|kneecaps)|(?:deserves?|needs?|needs to get|gets?) (?:an? |to get an? |
    to )(?:bullet|beating|beat up|stabbed|stabbing|slap|hiding|die|be (?:shot|killed|hurt))|
    (?:will|gonna|going to) make (?:you|her|him|them|my ex) (?:suffer|pay|bleed|regret|sorry)|
    throw acid|acid (?:attack|in your face)|blow (?:my |your |their )?(?:\w+ )?(?:brains|
    head) (?:out|off)`,
  unlessPreceded: expression`
    \b(?:not|never|dont|wont|nobody|no one|puppy|dog|lasagne|pun|jokes?) (?:\w+ ){0,3}$`,
  unlessFollowed: beginning`of (?:honou?r|approval)|for (?:best|the best)|laughing`,
}

/** "Don't make me hurt you", "cheat on me and you're dead". */
const conditionalThreats: PhraseRule = {
  phrase: phrase`
    (?:dont|do not) make me (?:hurt|kill|hit|come (?:for|after|over there and)|slap|stab|
    beat)(?: you)?|(?:with (?:someone|somebody|anyone) else|leave me|cheat on me|lie to me|
    ghost me|cross me|talk to (?:him|her)),? (?:and )?(?:youre|you are|ur|you will be|hes|
    shes) (?:dead|finished|done for)`,
}

/** "I own a gun and I'm not afraid", "see what happens to you". */
const displayedWeapons: PhraseRule = {
  phrase: phrase`
    (?:have|got|own|carry|keep|bring) (?:a |my )(?:gun|knife|weapon|pistol|blade) and (?:im|
    i am|i|ill) (?:not afraid|will|know how|ready|going|use it)|see what happens to (?:you|
    your (?:face|car|house|family|kids|dog)|her|him)`,
  unlessFollowed: beginning`of (?:bread|butter)`,
}

/** Killing members of a profession, party or age. */
const groupsToKill: PhraseRule = {
  phrase: phrase`
    (?:ill|i will) find (?:you|u)(?= ?(?:$|[.!;]))|(?:kill|stab|burn|hang|bomb|murder|behead|
    execute) (?:all |every |the |these ){1,2}(?:cops?|police|policemen|politicians?|teachers|
    men|children|kids|people|landlords|democrats|republicans|liberals|conservatives|tories)|
    shoot (?:all |every |the ){0,2}(?:cops?|police|policemen|politicians?|teachers)`,
  unlessPreceded: /\b(?:not|never|dont|wont|who|cant) (?:\w+ ){0,2}$/,
  unlessFollowed: beginning`with (?:kindness|laughter)`,
}

const breaksRule = compileRules([
  announcedViolence,
  pursuit,
  violenceWithDetail,
  attacksOnPlaces,
  broughtWeapons,
  wishedHarm,
  wishedHarmToYou,
  fixedThreats,
  directBlows,
  injuries,
  conditionalThreats,
  displayedWeapons,
  groupsToKill,
])

/** Whether a folded text threatens somebody with violence. */
export function findsThreat(text: string): boolean {
  return breaksRule(text)
}
