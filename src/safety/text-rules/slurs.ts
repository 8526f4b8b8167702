import { ending, phrase, type PhraseRule } from './phrase-rule.js'

/** Words that are slurs or not by what stands around them: cigarettes, walls against the sea, cats. */
const SLUR = phrase`
  (?:fags?|dykes?|chinks?|coons|homos|spastics?|spaz|mongs?|cripples?|negroes|queers|trannys?|
  ladyboys|muzzies|camel ?fuckers?|sand ?niggers?|rapefugees?)`

export const slurs: readonly PhraseRule[] = [
  {
    phrase: phrase`
      (?:you|ur|youre an?|such an?|bunch of|are|no|these|those|all|fucking|stupid|dirty|little|
      disgusting|any|hate|if youre an?|typical|filthy|damn|of|for an?|are an?|is an?|kill|only|
      fuck|kill all|with|like|than|date|from|by|to) ${SLUR}(?= ?(?:$|[,.!?;\n]|(?:swipe|keep|go|
      get|out|please|and|or|allowed|scrolling|should|will|can|cant|are|like you|behaviou?r|
      just)\b))`,
    unlessPreceded: ending`
      proud|happy|im|i am|fellow|quit|smoke|smoking|pack|packet|carton|rows?|miles`,
    unlessFollowed: /^ (?:and proud|protect|along)/,
  },
  {
    phrase: phrase`
      ${SLUR} (?:just cant help themselves|like you|(?:will|should|must|can|
      deserve to) (?:all )?(?:burn|die|hang|rot|suffer)|swipe left|get out|go away|keep scrolling)`,
  },
  // "a f a g" and "f a g" with the letters joined
  { phrase: phrase`afag|faggy|raghead|rapefugees?|muzzies|camel ?fuckers?` },
]
