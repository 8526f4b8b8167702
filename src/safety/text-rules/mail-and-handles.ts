import { beginning, ending, expression, phrase, type PhraseRule } from './phrase-rule.js'
import { REFUSED } from './negations.js'

const MAIL_HOST = phrase`
  (?:g ?mail|hot ?mail|proton ?mail|gmx|icloud|outlook|yahoo|ymail|googlemail)`

/** E-mail addresses, plain or spelled out. */
export const mailAddresses: readonly PhraseRule[] = [
  { phrase: /\b[a-z0-9][a-z0-9._%+-]{0,63}@[a-z0-9-]{1,63}\.[a-z]{2}/ },
  {
    phrase: expression`
      (?:[([{<] ?(?:at|@|a) ?[)\]}>]| at |
      @| arroba | chiocciola | arobase | aet ) ?[a-z0-9-]{2,30} ?(?:[([{<] ?(?:dot|\.|punkt|point|
      punto) ?[)\]}>]| dot | punkt | punto | point | ponto ) ?(?:com|net|org|de|fr|es|it|co|br|uk|
      io|me|ch|at|eu)\b`,
    unlessPreceded: /\b(?:works?|working|worked|job|engineer|manager|employed)$/,
  },
  { phrase: expression`[([{<] ?(?:at|@) ?[)\]}>] ?${MAIL_HOST}\b` },
  {
    phrase: phrase`
      (?:at|@|arroba|chiocciola|arobase) ?(?:gmail|hotmail|proton ?mail|gmx|googlemail|ymail)`,
    unlessPreceded: ending`
      works?|working|worked|job|engineer|manager|employed|pm|intern|interned`,
  },
  {
    phrase: expression`
      \b${MAIL_HOST} ?(?:dot|punkt|punto|point|ponto|[.,]|\(dot\)|\[dot\]) ?(?:com|de|fr|es|it|
      net)\b`,
  },
  {
    phrase: phrase`my (?:e ?-?mail|mail|gmail)(?: address)? ?(?:is|:|=|-)`,
    unlessPreceded: REFUSED,
    unlessFollowed: beginning`full|inbox|always|never|a mess|overflowing|at (?:zero|9)`,
  },
]

/** "@home" and "engineer @google" are places; with odd characters or behind a verb it is a handle. */
export const atHandles: readonly PhraseRule[] = [
  { phrase: /(?<![a-z0-9._])@[a-z][a-z0-9.]{0,20}[0-9_][a-z0-9._]*/ },
  {
    phrase:
      /(?:^|\n|[.,;:!?|/•)(→>-] ?|[^\0-\x7f] ?)@(?!(?:home|work|the|my|a|uni|night|weekends?|least)\b)[a-z][a-z0-9._]{2,29}/u,
    unlessPreceded: /\b(?:works?|working|job) [^,]*$/,
  },
  {
    phrase: phrase`
      (?:add|follow|find|me|hmu|dm|ig|insta|instagram|snap|snapchat|sc|tg|telegram|kik|twitter|
      tiktok|discord|fb|is|its|here|there|on|handle|insta) ?:? @[a-z][a-z0-9._]{2,29}`,
  },
]
