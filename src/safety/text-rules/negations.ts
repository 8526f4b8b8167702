import { phrase } from './phrase-rule.js'

/** Words between a "no" and what it refuses: "don't even ask me for my …". */
const FILLER = phrase`
  an?|any|the|my|your|ur|me|us|you|it|for|of|to|or|with|about|here (?:to|for)|ask|asking|even|try|
  trying|bother|please|pls|want|wanna|need|expect|send|sending|sell|selling|buy|buying|give|
  giving|out|do|doing|into|interested in|looking for|find|another|more|random|free`

const NO = phrase`
  no|not|non|nor|never|neither|dont|do not|doesnt|didnt|wont|will not|cant|cannot|isnt|arent|aint|
  without|stop|quit|avoid|zero|anti|against|hates?|kein|keine|keinen|nicht|nie|pas de|sin|sem|
  senza|nao`

/** The sentence so far ends in a refusal: "no …", "not here for …", "please don't send …". */
export const REFUSED = new RegExp(`\\b(?:${NO})(?: (?:${FILLER}))* ?-?$`)

/** The sentence goes on to turn such people away: "… will be blocked". */
export const TURNED_AWAY = new RegExp(
  phrase`
    \b(?:block(?:ed)?|unmatch(?:ed)?|report(?:ed)?|swipe left|move on|keep (?:scrolling|walking|
    swiping)|go away|not welcome|get (?:lost|deleted)|ignored?|bye)\b`,
)
