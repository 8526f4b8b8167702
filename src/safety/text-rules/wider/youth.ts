import { beginning, ending, expression, phrase, type PhraseRule } from '../phrase-rule.js'

const NOT_SELF = expression`
  \b(?:head|chief|papa|teach\w*|coach\w*|tutor\w*|mentor\w*|son|sons|daughter\w*|kids?|child|children|girls?|boys?|
  nephew|niece|brother|sister|cousin|mum|mom|mother|dad|father|parent|stepdad|class|pupils|
  students|examine\w*|mark|since|when|was|were|used to|back in|ago|he|she|his|her|their|professor\w*|profesor\w*|
  maestr\w|lehrer\w*|unterrichte|institutrice|prof|hij[oa]|sohn|tochter|fils|fille|figli\w)\b[^.!?]*$`
const YOUNG = '(?:1[0-7]|[89]|thirteen|fourteen|fifteen|sixteen|seventeen)'
const YEAR = new Date().getFullYear()
const years = (from: number, to: number) => {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i).join('|')
}
const BIRTH_YEARS = years(YEAR - 17, YEAR - 8)
const SCHOOL_CLASSES = years(YEAR + 1, YEAR + 8)
const SCHOOL_CHILD = phrase`
  (?:school ?girls?|school ?boys?|teen(?:age)?s?(?: girls?| boys?)|minors?|preteens?|jail ?bait|
  underage|lolitas?|schulerinnen?|schulerin|collegiennes?|lyceennes?|colegialas?|ninas|menores)`

/** Hints that somebody is under 18, or looks for such people. */
export const youth: readonly PhraseRule[] = [
  {
    phrase: phrase`(?:born|was born)(?: in)? (?:${BIRTH_YEARS})|\d\d?/(?:${BIRTH_YEARS})(?: baby)?`,
    unlessPreceded: NOT_SELF,
  },
  {
    phrase: phrase`(?:class of|c/o) (?:${SCHOOL_CLASSES})(?: (?:at|@) [a-z ]{1,30})?(?: high| hs)`,
    unlessPreceded: NOT_SELF,
  },
  {
    phrase: phrase`
      (?:7th|8th|9th|10th|11th|12th|seventh|eighth|ninth|tenth|eleventh|twelfth) gr(?:ade)?|
      (?:grade|year|yr|form|class|standard) (?:[7-9]|1[0-2])(?: (?:at|pupil|student|girl|boy|commerce|science|arts))?|plus (?:one|two) (?:science|
      commerce|arts)|(?:lower|upper) (?:sixth|fifth|sixth form)|sixth form(?:er)?|junior high|
      high ?schoolers?|middle ?schooler`,
    unlessPreceded: NOT_SELF,
    unlessFollowed: beginning`(?:\w+ )?(?:teach\w*|tutor|head|coach|counsell?or|drama)`,
  },
  {
    phrase: phrase`
      (?:my|for my|revising for (?:my )?|after (?:my )?) (?:mock )?(?:gcses?|o levels?|leaving cert|
      brevet|sats|homework|curfew|hall pass|permission slip|locker|detention)|(?:do|doing|finish) (?:my )?homework|
      learners? permit|driving permit|permit gang|homecoming|hall pass|home ?room|form tutor|
      held back in (?:\w+) grade|school nights?|detention again|varsity (?:team|soccer|
      swim)|junior varsity`,
    unlessPreceded: NOT_SELF,
    unlessFollowed: beginning`(?:teacher|in (?:19|20)\d\d|story|stories|was|were)`,
  },
  {
    phrase: phrase`
      (?:my )?(?:mum|mom|mother|dad|parents|stepdad|nan|folks|guardian) (?:dont (?:know|let)|do not know|doesnt (?:know|let)|
      took|checks?|drives?|would kill|thinks?|think|made me|has to|signs?|let me|lets me|
      picks? me up|are not|is not|must not|need not)`,
    unlessPreceded: ending`(?:as a|proud|single|busy) `,
    unlessFollowed: beginning`
      (?:i (?:need|should|am too|look|work|text|talk|snore)|its time|still|to settle|love|hi|that i should)`,
  },
  {
    phrase: phrase`
      (?:not|isnt|arent|im not) (?:yet |quite |really )?(?:18|eighteen|legal|of age|old enough|an adult)(?: yet)?|
      (?:cant|cannot|not allowed to|too young to) (?:drive yet|vote|drink yet|be here|be on here|get a tattoo)(?: yet)?|
      (?:years?|months|birthdays) (?:too young|(?:un)?til(?:l)? (?:im|i am) (?:legal|18|eighteen|an adult))|
      (?:be|turn|turning|im|get) (?:legal|eighteen|18) (?:in|after|the|once|next)`,
    unlessPreceded: ending`(?:if (?:you|u|your|youre|ur)?|you|u|who|anyone|daughter|son|kids?|whos|are|youre) ?(?:are )?`,
  },
  {
    phrase: phrase`
      (?:real|actual|true) (?:age|birth ?da(?:y|te))|(?:lied|lying|fibbed) about my (?:age|birth ?da(?:y|te))|
      (?:age|year|birth ?da(?:y|te)|id|number|eta|alter|edad|idade) (?:above|up there|up top|on here|
      i (?:put|gave)|oben|de arriba|ali|stimmt)|(?:set|put) (?:my age|18|a random birth ?date|a fake
       age)|(?:says|put|thinks|app says) (?:im )?(?:18|an adult|adult)|fake (?:age|birthday|birthdate)|
      (?:minus|less than|take away|subtract) (?:one|two|three|four|five|1|2|3|4|5)(?: years?)?|
      younger than (?:it says|the app|i put|my profile)`,
  },
  {
    phrase: phrase`
      (?:im|i am|me|hi|turn|turning|turned|still|currently|just|soon|only|barely|nearly|bin|tengo|tenho|
      jai|ho|bin erst|bin noch|ben) (?:still |just |about to be |only |actually |going to be |erst |
      noch |eigentlich ){0,2}(?:${YOUNG}|quince|quinze|sedici|quindici|funfzehn|sechzehn|catorce)
      (?: jahre| anos| ans| anni)?(?= ?(?:$|[,.;!?)]|and\b|but\b|on\b|at\b|in\b|y\b|et\b|e\b|und\b|
      running\b|next\b|from\b|noch\b))`,
    unlessPreceded:
      /\b(?:when|since|like|if|until|was|were|son|daughter|kids?|and|hijo|hija) ?(?:i )?(?:was )?$/,
    unlessFollowed: beginning`(?:\d|[,.] ?\d|in (?:dog|a row|spirit)|at heart|on (?:monday|the pitch))`,
  },
  {
    phrase: phrase`(?:quinceanera|bat mitzvah|sweet sixteen|confirmation class|konfirmation|school id|kids menu|half fare|school ?girl from|prom in (?:may|june)|high school kind|high school not college|7th period|under the age limit|im underage|nachhilfe in|mathe ?klausur|brevet en|examen en el insti|voy en (?:primero|segundo|tercero) de|estoy en la secundaria|ensino medio|oitavo ano|nono ano|ainda to no colegio|faccio (?:la|le|ancora le) (?:prima|seconda|terza|medie)|terza media|gehe in die \\d\\w?|in der \\d+\\. klasse|en (?:troisieme|seconde|quatrieme|4e|3e)(?:,| et| au college)|je suis au (?:lycee|college)|je suis mineure?|bin (?:noch )?minderjahrig|menor de (?:idade|edad)|minorenne|op de (?:havo|mavo|vmbo)|derde van de mavo)`,
    unlessPreceded: NOT_SELF,
  },
  {
    phrase: phrase`
      (?:seeks?|seeking|searching|want(?:s|ed)?|looking for|love|like|prefer|into|meet|cherche|sucht?|
      busco|me gustan|interested in|find) (?:[\w,]+ ){0,4}${SCHOOL_CHILD}|
      ${SCHOOL_CHILD} (?:welcome|only|are the|preferred|wanted|real ones|gern)`,
    unlessPreceded: ending`(?:no|not|dont|never|nie|keine) (?:\w+ ){0,2}`,
  },
  {
    phrase: phrase`
      (?:before they (?:turn|are) (?:18|legal|adult)|still (?:in school|at school|lives? with (?:her|
      his|their) parents|plays? with dolls|packs)|not finished school|young(?:er)? the (?:better|
      sweeter)|very,? very young|barely (?:teen|legal|out of (?:primary|school))|(?:fresh|straight) out of (?:school|primary)|
      girls? (?:aged|around|of|between|under) (?:1[0-7]|[89])|1[0-7] year olds? (?:girls?|boys?|and would)|
      muy jovencitas|tres jeunes|ganz junge|chiquitas)`,
    unlessPreceded: NOT_SELF,
  },
]
