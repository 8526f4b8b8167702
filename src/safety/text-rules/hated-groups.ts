import { phrase } from './phrase-rule.js'

/** What makes a group of "people", "men" or "women". */
const TRAIT = phrase`
  black|asian|indian|white|brown|jewish|muslim|arab|african|mexican|latino|hispanic|chinese|gay|
  lesbian|bi|bisexual|queer|trans|transgender|disabled|handicapped|autistic|immigrant|migrant|
  foreign`

/** Groups in the plural, as hate speech names them. */
export const GROUPS = phrase`
  (?:the )?(?:jews|muslims|moslems|christians|hindus|sikhs|arabs|blacks|africans|asians|indians|
  pakistanis|mexicans|latinos|hispanics|immigrants|migrants|refugees|foreigners|colou?reds|
  illegals|gypsies|gays|lesbians|homos|homosexuals|queers|bisexuals|transgenders|transsexuals|
  whites|turks|poles|russians|ukrainians|israelis|palestinians|albanians|romanians|cripples|
  autistics|disabled|(?:${TRAIT}) (?:people|folks?|men|women|guys|girls|ladies|males|females|
  kids))`

/** One of a group, behind an article or "any", "that", "every". */
export const MEMBER = phrase`
  (?:jew|muslim|moslem|arab|immigrant|migrant|refugee|foreigner|gay|lesbian|homo|homosexual|queer|
  transgender|cripple|mexican|pakistani|(?:${TRAIT}) (?:person|man|woman|guy|girl))`

/** Women are spoken of in every second bio, so only the plainest contempt counts for them. */
export const WOMEN = '(?:women|females|womyn|wives)'
