import { QUOTED, VILE } from './contempt.js'
import { GROUPS, MEMBER, WOMEN } from './hated-groups.js'
import { beginning, phrase, type PhraseRule } from './phrase-rule.js'

const DETEST = phrase`
  (?:hates?|hating|despise|detest|loathe|abhor|cant stand|disgusted by|sickened by|revolted by|
  sick of|fed up with|disdain for|scorn (?:\w+ ){0,2}for|contempt for|hatred (?:for|of)|
  look down on|pissed off (?:by|at)|disgust (?:\w+ ){0,2}for)`
const HARM = phrase`
  (?:kill(?:ing)?|murder(?:ing)?|rap(?:e|ing)|tortur(?:e|ing)|slaughter(?:ing)?|strangl(?:e|ing)|
  drown(?:ing)?|execut(?:e|ing)|exterminat(?:e|ing)|gas(?:sing)?|hang(?:ing)?|shoot(?:ing)?|
  stab(?:bing)?|burn(?:ing)?|beat(?:ing)?(?: up)?|lynch(?:ing)?|eradicat(?:e|ing)|
  get(?:ting)? rid of|wip(?:e|ing) out|deport(?:ing)?|behead(?:ing)?|bomb(?:ing)?|castrat(?:e|
  ing)|sterili[sz](?:e|ing)|suffocat(?:e|ing)|expel|ban|remove|enslave|cleanse|death to|down with|
  screw|fuck)`
const HARMED = phrase`
  (?:killed|executed|murdered|eradicated|exterminated|gassed|shot|hanged|hung|drowned|deported|
  suffer|die|burn|beaten|dumped|locked up|wiped out|put down|sterili[sz]ed|slaughtered|strangled|
  banned|expelled|removed|raped|tortured|enslaved|rot|leave|go (?:home|back)|perish|disappear|
  be silent|shut (?:the fuck )?up|obey)`
/** Between the group and what is said of it. */
const OF_THEM =
  '(?:like you |of this kind |in general |everywhere |these days |of today |in this country )?'
/** A word that does not turn the sentence round. */
const PLAIN = phrase`
  (?:nothing but |no better than |(?!(?:not|never|no|arent|against|but|and|who|opposite)\b)\w+ )`

/** Contempt for a group, violence against it, its exclusion, in English; every phrase names the group. */
export const hateOfGroups: readonly PhraseRule[] = [
  {
    phrase: phrase`${DETEST} ${PLAIN}{0,5}(?:${GROUPS}|${WOMEN})`,
    unlessPreceded: QUOTED,
    unlessFollowed: beginning`
      being|getting|who|that|having|have to|history|food|rights|pretending|in (?:films|movies)|
      against`,
  },
  {
    phrase: phrase`
      (?:${GROUPS}|${WOMEN}) ${OF_THEM}(?:\w+ ){0,3}(?:disgusts?|sickens?|repulses?|(?:make|makes|
      making) me (?:so |really )?(?:sick|furious|angry|puke|vomit|want to (?:puke|vomit))|
      are (?:all )?pissing me off)`,
    unlessPreceded: QUOTED,
  },
  {
    phrase: phrase`
      (?:${GROUPS}|${WOMEN}) ${OF_THEM}(?:are|r|being|be|act like|behave like|look like|remain|
      can only be|can be|will always be|cant stop themselves from being) ${PLAIN}{0,5}${VILE}`,
    unlessPreceded: QUOTED,
  },
  {
    phrase: phrase`
      (?:only|than|as) (?:these |those |all )?${GROUPS} (?:are|can be) (?:that |so |this )?${VILE}|
      no one else is (?:as|so) ${VILE} (?:as|than) (?:these |those |all )?(?:${GROUPS}|${WOMEN})`,
    unlessPreceded: QUOTED,
  },
  {
    phrase: phrase`
      (?:${GROUPS}|${WOMEN}) ${OF_THEM}(?:ought to|should|must|need to|needs to|deserve to|
      have to|has to|had better|can|better|will|are going to) ${PLAIN}{0,3}${HARMED}|(?:${GROUPS}|
      ${WOMEN}) (?:\w+ ){0,6}(?:should|must|ought to|need to|
      deserve to) (?:all )?(?:be )?(?:killed|executed|murdered|eradicated|exterminated|gassed|
      shot|hanged|hung|deported|locked up|wiped out|expelled|sterili[sz]ed)|
      ${GROUPS}[^.!?\n]{0,60}\bthey (?:should|must|ought to|need to|
      deserve to) (?:all )?(?:be )?${HARMED}|${GROUPS} (?:are|is) (?:all )?(?:behind (?:it|all|
      everything|the)|to blame for|responsible for (?:all|everything))|
      ${GROUPS} (?:\w+ ){0,3}(?:burn|rot|go) (?:to |in )?hell`,
    unlessPreceded: QUOTED,
  },
  {
    phrase: phrase`
      (?:see|make|watch|making|seeing|let|if) (?:all |those |these |the |more |
      such ){0,3}(?:${GROUPS}|${WOMEN}) (?:were |are |would )?(?:suffer|die|burn|bleed|hang|
      eradicated|killed|gone|extinct)`,
    unlessPreceded: QUOTED,
  },
  {
    phrase: phrase`
      ${HARM} (?:all |every |each |every last |the |last |those |these |single |and |fucking |
      damn |kinds? |of |one |more |some |any ){0,4}${GROUPS}|(?:kill|murder|rape|torture|
      slaughter|strangle|execute|exterminate)(?:ing)? (?:all |every |the |those |these |more |
      some ){0,3}${WOMEN}|${HARM} (?:an? |any |that |every |each |every last |every single |
      the last ){1,2}${MEMBER}`,
    unlessPreceded: QUOTED,
    unlessFollowed: beginning`
      and white|pride|food|cooking|friday|jokes?|magic|coffee|bean|forest|pudding|rights|history`,
  },
  {
    phrase: phrase`
      (?:${GROUPS}|${WOMEN}) ${OF_THEM}(?:(?:do not|dont|never|should not|shouldnt|will never|
      wont) (?:ever )?(?:belong|deserve (?:to live|rights|respect|life)|fit in|get to vote)|
      belong (?:in|on) (?:an? |the )?(?:zoo|cages?|landfill|kitchen|prison|jail|trash|bin|gutter|
      camps?|property|men)|are (?:not|never) (?:our|my|your|an?) ?(?:equals?|human|people)|
      are not (?:welcome|wanted|allowed)|not (?:welcome|wanted|allowed)|keep out|stay away|
      get (?:the fuck )?out|go home|out of (?:my|our|this|the|europe|america|britain|england|
      germany|france)|need not apply|swipe left|have no place|control (?:everything|the)|
      run the (?:world|media|banks)|rule the world|will not replace us|to the gas|(?:should not|
      shouldnt|should never|must not) be (?:allowed|here|free|alive|tolerated)|
      are (?:nothing like us|property|objects|cattle|holes)|were made to (?:serve|obey))`,
    unlessPreceded: QUOTED,
  },
  {
    phrase: phrase`
      better off (?:without|if) (?:\w+ ){0,2}${GROUPS}|(?:never trust|
      rather (?:\w+ ){1,6}than (?:\w+ ){0,5}|nothing (?:\w+ ){0,5}less than |never (?:hire|help|
      save) )an? ${MEMBER}|no ${MEMBER} (?:can|should|will) ever|${GROUPS} (?:can|could) never be|
      smarter than any ${MEMBER}`,
    unlessPreceded: QUOTED,
  },
  {
    phrase: phrase`
      (?:send|ship|kick|throw|put|lock) (?:all |the |those |these |every ){0,3}${GROUPS} (?:back|
      home|away|packing|out|on (?:a|the) boat|up)`,
    unlessPreceded: QUOTED,
  },
  {
    phrase: phrase`
      (?:hope|wish|want|pray|hoping|wishing) (?:that )?(?:all |every |the |these |
      those ){0,2}${GROUPS} (?:would |should |will |to )?(?:all )?(?:die|disappear|burn|suffer|
      leave|rot|gone|dead)|keep (?:all )?${GROUPS} (?:out|away)|(?:lesbians?|gays?|
      trans people) (?:just |only )?needs? (?:an? |to be |to )(?:real man|man|fix|fixed|cure|
      cured|dick|jesus|conversion|therapy)`,
    unlessPreceded: QUOTED,
  },
]
