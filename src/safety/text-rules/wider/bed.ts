import { ending, phrase, type PhraseRule } from '../phrase-rule.js'

const NO = ending`(?:no|not|dont|never|without|anti|isnt|arent|asexual|hate|pas de|kein\w*|niente|nao|no busco|pas de|past) (?:\w+ ){0,4}`

/** Sex sought or described, in hints too. */
export const bed: readonly PhraseRule[] = [
  {
    phrase: phrase`(?:hook ?ups?|one night stands?|ons|fwb|friends with benefits|nsa|no strings attached|casual (?:fun|sex)|threesomes?|trio|dreier|swingers?|full swap|swap partners|plan cul|quickies?|booty call|sexting|sext me|cuckold|gloryhole|gangbang|car fun|sacanagem|scopare|sesso|follar|coger ya|ficken|seks|sexo|a root|the ride tonight)(?= ?(?:$|[.,!?;:)]|\w))`,
    unlessPreceded: NO,
    unlessFollowed:
      /^ ?(?:education|ed\b|therapist|worker|please|thanks|merci|grazie|with (?:my )?dog|fellas|in cycling)/,
  },
  {
    phrase: phrase`(?:seek(?:s|ing)?|looking for|after|want|need|cherche|join) (?:\w+ ){0,4}(?:third|unicorn|bull|sub|dom|submissive|slut|someone to ride|body tonight|release|satisfy)(?: \w+){0,3} ?(?:for|person|tonight|bed|fun|bedroom|collar|what|$)`,
    unlessPreceded: NO,
  },
  {
    phrase: phrase`(?:kinks?|kinky|fetish(?:es)?|bdsm|horny(?! toad)|geil|cachond[oa]|naked(?! (?:mole|wines|eye|bike|baden|chef|truth))|nackt|desnud[oa]|pelad[oa]|nud[oa]|sin ropa|ohne alles|undress me|clothes (?:are |optional|between)|on my floor|strip for|commando|without clothes|skin to skin|bare skin|underwear first|your underwear|nothing (?:under|hidden|between))(?: \w+){0,8} ?(?:$|[.,!?;)])`,
    unlessPreceded: ending`(?:no|not|never|dont|eye|mole|bathing|baden|modelling|horny|naked) (?:\w+ ){0,2}`,
    unlessFollowed: /^ ?(?:mole|eye|truth|bike|am ostsee|baden|toads?|rats)/,
  },
  {
    phrase: phrase`(?:on your knees|bend(?: you)? over|sit on my face|make you moan|make you scream|cant walk tomorrow|lick (?:you|your|me|my|chocolate off|every)|eat you out|give oral|hobby is oral|anal (?:lover|fun|play|sex)|swallow|masturbat\w+|orgasms?|my tongue (?:has|is|knows)|your tongue|with my tongue|wet (?:and waiting|just)|im wet|hung and|/ hung|make up for in inches|inches (?:of fun|elsewhere|below)|\\d+ inches of (?:fun|man)|girth|my (?:cock|dick)|deine zunge|(?:get|gets|be|love) spanked|choke me|tie (?:me|you) up|tying up|use me|be used|collar ready|being watched|playroom|have your way|in my bed|in mi cama|meinem bett|mio letto|na cama|mi cama|big bed|very big bed|bedroom fun|for the bedroom|bed fun|furs bett|straight to bed|(?:rough|twice|good|on the side|fun|wild|great|best|generous) in bed|last long|high sex drive|sex drive|release, not|stamina|inhibitions|satisfy|below the belt|physical stuff|changing room|condoms?|actually not watch|ride me|my mouth,|rough and|your body|our mattress|watch first|lets me film)`,
    unlessPreceded: ending`(?:no|not|dont|without|the best part is|read(?:ing)?|breakfast|books?|dogs?|coffee|mini|tall|feet|\d ?(?:ft|feet)|moby|spotted) (?:\w+ ){0,3}`,
    unlessFollowed:
      /^ ?(?:by (?:ten|nine)|tax|history|surgeon|exam|presentation|ice cream|with a book|reading|builders?|van|and breakfast|tests?|of (?:lettuce|steel)|long enough to|oath|temperature|for books|sheets?)/,
  },
  {
    phrase: phrase`(?:trade|send|swap|show|rate|exchange|manda|mandame|envoie|schick|see) (?:me |mir |tes |us |ur |your |my |yours |dirty |some ){0,3}(?:nudes?|pics\??|vid first|bilder|nacktbilder|private part|parts|yours and|foto pelada|foto de tu cosa|🍆|🍑|dick|underwear)|show me your(?:s)? (?:and|private)|vid if you send|pics? (?:from the shower|in the shower|nothing)|in the shower, nothing|(?:🍆|🍑👅|👅💦|🍆💦)`,
    unlessPreceded: NO,
    unlessFollowed: /^ ?(?:of your (?:dog|cat|pet|garden)|dog|cat)/,
  },
  {
    phrase: phrase`(?:come over|my place|your place|host|can host|at your door|door is open|doors open|lights off|u up|room \d+|roomm?ate (?:is |s )?(?:gone|away)|hotel (?:bar|paid)|after midnight|wife does not know|husband cant|married, bored|my hour|discreet|discretion)(?: \w+){0,6} ?(?:tonight|now|horny|bed|fun|no talk|naked|afternoons|clothes|lights|yours|sturdy|quick|off|inhibitions|satisfy|midnight|;\))`,
    unlessPreceded: NO,
  },
  {
    phrase: phrase`(?:only here (?:for|4)|here (?:for|4)) (?:one thing|physical|bed|fun tonight|the 😈)|no talk(?:ing)? needed|its not talking|skip the (?:date|dinner|talk)|names later|sex first|need it daily|want sex|i want you|ti voglio|te quiero en|zieh dich aus|(?:to|want to|wanna|lets|here to) (?:fuck|bang|shag|bone)|pas de blabla|sans rien sous|sin platica`,
  },
]
