import { expression, phrase } from './phrase-rule.js'

/** Endings that are no word of a sentence whose space after the full stop was forgotten. */
const TOP_LEVEL = phrase`
  (?:com|net|org|io|info|biz|xyz|app|dev|gg|tv|fm|eu|co\.uk|com\.br|com\.au|co\.za|co\.in|ly|ee|
  bio|fans|cam|porn|xxx|site|website|online|link|page|shop|store|club|chat|vip|cc|ws|ru|pl|cz|se|
  dk|nl|ch|uk|de|fr|br|jp|kr|cn|ca|us|au|nz|ie)`
/** Endings that are also words, and so need a path, as in `t.me/name`. */
const TOP_LEVEL_WORD = '(?:me|in|it|is|be|to|so|at|no|my|es|pt|am|co|do|la|live)'
const HOST_AND_PATH = new RegExp(
  `(?<![a-z0-9@._-])((?:[a-z0-9][a-z0-9-]{0,62}\\.){1,4}${TOP_LEVEL})(?![a-z0-9-])(/[^ \\n])?`,
  'g',
)
const WORD_HOST_WITH_PATH = new RegExp(
  `(?<![a-z0-9@._-])[a-z0-9][a-z0-9-]{1,62}\\.${TOP_LEVEL_WORD}/[a-z0-9]`,
)
const EXPLICIT = /\b(?:h(?:tt|xx)ps? ?:? ?\/\/|www ?\d?\.\w|linktr|t\.me\b|wa\.me\b|bit\.ly)/
/** "name dot com", but not "a dot com", "the dot com boom". */
const SPELLED = expression`
  (?<!\b(?:an?|the|of|dot) )\b(?!dot\b|the\b)[a-z0-9][a-z0-9-]{2,40} ?(?:\(dot\)|
  \[dot\]| dot ) ?(?:com|net|org|io|de|co uk|me)\b(?! (?:boom|bubble|bust|crash|era|startup|
  survivor|company|years|days))`

/** Sites and products that people name as an employer or a pastime. */
const NAMED_SITES: ReadonlySet<string> = new Set(
  phrase`
    ado.net|agar.io|allegro.pl|amazon.co.uk|amazon.com|amazon.de|amazon.fr|ancestry.com|
    archive.org|asp.net|autotrader.com|bahn.de|bandcamp.com|boardgamearena.com|bol.com|
    booking.com|cars.com|change.org|check24.de|chess.com|code.org|craigslist.org|
    draw.io|duolingo.com|ebay.com|ebay.de|generals.io|geoguessr.com|hotels.com|
    immoscout24.de|itch.io|last.fm|lichess.org|match.com|ml.net|mobile.de|monday.com|
    moneysupermarket.com|openai.com|rightmove.co.uk|salesforce.com|slither.io|socket.io|
    vb.net|w3.org|web.de|wikipedia.org`.split('|'),
)

/**
 * Whether a folded text has a web address; the name of a well-known site without a path is a word, not
 * an address.
 */
export function findsWebAddress(text: string): boolean {
  if (EXPLICIT.test(text) || WORD_HOST_WITH_PATH.test(text) || SPELLED.test(text)) return true
  for (const [, host = '', path] of text.matchAll(HOST_AND_PATH)) {
    if (path !== undefined || !NAMED_SITES.has(host)) return true
  }
  return false
}
