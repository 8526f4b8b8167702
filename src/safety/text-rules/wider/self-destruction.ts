import { ending, phrase, type PhraseRule } from '../phrase-rule.js'

const REPORTED = ending`
  (?:when|mondays?|mornings?|makes? me|made me|almost|nearly|didnt|tried to|she|he|brother|friend|
  sister|ago|years ago|since|survived an?|lost (?:\w+ ){1,4}to|never) (?:\w+ ){0,3}`
const LIFE = '(?:my life|it all|it|things|everything|my days|my misery)'

/** Announced suicide and self-harm, and urging others to it. */
export const selfDestruction: readonly PhraseRule[] = [
  {
    phrase: phrase`i (?:\w+ )?(?:want to|wanna|am going to|am ready to|am about to|plan to) (?:die|be dead|kill myself|hang myself|end ${LIFE}|end myself|unalive myself|drown myself)`,
    unlessPreceded: REPORTED,
  },
  {
    phrase: phrase`(?:end|ending|ended|finish|finishing) (?:my life|it all|everything)|gonna (?:end it|unalive)|unalive (?:myself|yourself|urself)|(?:in den|aus dem) leben (?:gehen|geht|scheiden)`,
    unlessPreceded: REPORTED,
  },
  {
    phrase: phrase`(?:good ?bye|farewell|suicide|abschieds|last) (?:letters?|note|messages?|brief\w*)|abschiedsbrief|carta de despedida|lettera daddio|dejado? la carta|suicide pact|suicidal and|im suicidal`,
    unlessPreceded: ending`(?:was|formerly|ex|survivor|not|no longer|never|once|been|against|lost|about) (?:\w+ ){0,2}`,
    unlessFollowed:
      /^ ?(?:prevention|hotline|helpline|awareness|survivor|years? ago|tendencies in)/,
  },
  {
    phrase: phrase`(?:wont|will not|not going to|not gonna) (?:be (?:here|around|alive)|exist|see (?:my|another)|wake up|make it to)|(?:gone|dead) (?:by the time|for good|soon|by (?:monday|friday|sunday|then))|no plans after|last (?:month|week|days?|night) (?:on earth|alive)`,
  },
  {
    phrase: phrase`(?:took|take|taking|saving up|save|kept|keep|got|have|hoarding|swallow) (?:\w+ ){0,4}(?:sleeping )?(?:pills|tablets)(?: (?:at once|she gave|lined up|tonight|ready|for friday))|sleeping pills|tie a noose|the noose|bought the rope|(?:jump|step(?:ping)?|walk) (?:off|in front of|into) (?:the |a )?(?:bridge|roof|train|sea|building|traffic)`,
    unlessPreceded: ending`(?:bungee|would|id|counting) `,
  },
  {
    phrase: phrase`(?:cut|cutting|cuts|burn|burning|hurt|hurting|starve|starving) (?:myself|my (?:arms?|wrists?|legs?|skin))|(?:fresh|new) cuts|hurts less when|self harm (?:buddy|partner|friend)|cutting is|scars to anyone`,
    unlessPreceded: REPORTED,
    unlessFollowed: /^ ?(?:shaving|cooking|on paper|by accident|last year)/,
  },
  {
    phrase: phrase`(?:nobody|no one|noone|niemand|nadie|personne) (?:would|will|ne|wird|me)? ?(?:miss(?:es)?|cares?|notice|vermisst|extrana|braucht|regrettera)(?: (?:me|you|u|if))`,
    unlessPreceded: ending`(?:as if|like) `,
  },
  {
    phrase: phrase`(?:you|u|yall|all of you|fat people|they|you all|yous|yourself|urself|folks|some) (?:\w+ ){0,3}(?:should|ought to|can) (?:\w+ ){0,2}(?:die|kill (?:your|them)sel\w+|hang (?:your|them)sel\w+|jump|disappear|stop eating|walk into the sea|top (?:your|them)sel\w+)|(?:just |go |pls |please )(?:jump|die|end it|drink bleach|neck yourself|hang yourself|kill yourself|top yourselves)|drink bleach|world a favou?r and|(?:only|simple) (?:cure|way) (?:for|to) (?:\w+ ){0,3}(?:ugly|fix that|rope)|bring(?:t)? (?:dich|euch) um|hang dich|erhang dich|va te pendre|matate|se mata|ammazzati|suicidez? ?vous|pend(?:s|ez)(?: |-)toi`,
  },
  {
    phrase: phrase`(?:pro ?)?ana (?:buddy|and mia|y mia|e mia|twin|coach)|pro ?ana|ed twin|thinspo|bonespo|meanspo|purging|(?:starve|starving|fast|fasting|not eating|stop eating|eating nothing|never eat\w*) (?:together|with me|challenge|again|buddy|until)|goal weight|lowest weight|(?:count|counting) (?:\w+ ){0,2}calories (?:till|until|together)|ribs show|to (?:the )?bones? ?(?:$|[.,])`,
  },
  {
    phrase: phrase`(?:quiero morir|me quiero morir|ya no quiero (?:vivir|seguir)|nao quero mais viver|plus envie de vivre|veux en finir|non voglio piu vivere|la faccio finita|will nicht mehr leben|will sterben|ojala no despierte|tengo las pastillas|ya tengo las|es ist bald vorbei|ist es vorbei|ich hab alles geregelt|ma decision|e o fim|me despedi de|ik stap er)`,
  },
  {
    phrase: phrase`(?:life|living) (?:\w+ ){0,3}(?:isnt|is not|not|has no) (?:\w+ ){0,2}(?:worth|meaning)|tired of living|no longer see a way|burden to (?:my|every)|ready to go ?(?:$|[.,!])|(?:plan|bottle) and (?:a )?date|(?:bury|buried) (?:me )?in|affairs in order|my will is|list of ways|one more week,? then`,
    unlessPreceded: ending`(?:without \w+|if) `,
  },
]
