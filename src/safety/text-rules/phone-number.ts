import { expression } from './phrase-rule.js'

/** The words for 0 to 9 in English, German, French, Spanish, Portuguese, Italian and Dutch. */
const WORDS_OF_DIGITS = [
  'zero oh nought null cero nul',
  'one eins un uno um een',
  'two zwei zwo deux dos dois due twee',
  'three drei trois tres tre drie',
  'four vier quatre cuatro quatro quattro',
  'five funf fuenf cinq cinco cinque vijf',
  'six sechs seis sei zes meia',
  'seven sieben sept siete sete sette zeven',
  'eight acht huit ocho oito otto',
  'nine neun neuf nueve nove negen',
]
const DIGIT_OF_WORD = new Map(
  WORDS_OF_DIGITS.flatMap((words, digit) => words.split(' ').map((word) => [word, `${digit}`])),
)
const DIGIT_WORD = [...DIGIT_OF_WORD.keys()].join('|')
const SPELLED_TOKEN = new RegExp(`\\b(?:${DIGIT_WORD})\\b|\\d`, 'g')
const SPELLED = new RegExp(
  `(?<![a-z0-9])(?:(?:${DIGIT_WORD}|double|triple|\\d)[ ,.*_/-]{0,3}){6,29}(?:${DIGIT_WORD}|\\d)(?![a-z])`,
  'g',
)
const COUNTING = '01234567891011121314'

/** Seven or more digits, grouped as people group them; a comma ends a number. */
const GROUPED =
  /(?<![\w.,:$€£#])(?:\+ ?|00)?\(?\d(?:[ ().*_\u00b7-]{0,3}\d){6,18}(?![\d%]|[.,:]\d)/g
/** "0171/3920018", as written in Germany. */
const AREA_CODE_SLASH = /(?<![\d/])0\d{2,5} ?\/ ?\d[\d ]{4,12}/
const CONTEXT_CHARACTERS = 40
const CUE = expression`
  \b(?:call|text|txt|tel|phone|number|num|mobile|cell|whats ?app|wa|sms|ring|dial|reach|nummer|
  handy|anrufen|ruf|numero|telefono|cel|celular|movil|appelle|appel|liga|chiama|chiamami|contact|
  hmu|snap|zelle|cash ?app|venmo|me)\b[^.!?\n]*$`
const CUE_BEHIND =
  /^[ ,.:;!-]*(?:call|text|txt|ring|phone|whats ?app|sms|hmu|hit me up) ?(?:me\b|if\b|$)/

/** Whether a folded text has a telephone number, in digits, in words or in both. */
export function findsPhoneNumber(text: string): boolean {
  if (AREA_CODE_SLASH.test(text)) return true
  for (const match of readDigits(text).matchAll(GROUPED)) {
    const end = match.index + match[0].length
    const before = text.slice(Math.max(0, match.index - CONTEXT_CHARACTERS), match.index)
    const behind = text.slice(end, end + CONTEXT_CHARACTERS)
    const hasCue = CUE.test(before) || CUE_BEHIND.test(behind)
    if (isPhoneNumber(match[0], hasCue)) return true
  }
  for (const match of text.matchAll(SPELLED)) {
    if (isSpelledNumber(match[0])) return true
  }
  return false
}

/** Letters that stand for a digit among digits: "o7700 9oo". */
function readDigits(text: string): string {
  return text.replace(/(?<![a-z0-9])[0-9oil]{2,20}(?![a-z0-9])/g, (run) =>
    /\d/.test(run) ? run.replace(/o/g, '0').replace(/[il]/g, '1') : run,
  )
}

/** At least one digit is a word; from one to ten in order is counting, not a number. */
function isSpelledNumber(run: string): boolean {
  const tokens = run.match(SPELLED_TOKEN) ?? []
  if (!tokens.some((token) => DIGIT_OF_WORD.has(token))) return false
  const digits = tokens.map((token) => DIGIT_OF_WORD.get(token) ?? token).join('')
  return digits.length >= 6 && !COUNTING.includes(digits)
}

function isPhoneNumber(candidate: string, hasCue: boolean): boolean {
  const groups = candidate.match(/\d+/g) ?? []
  const digits = groups.join('')
  if (isOtherNumber(candidate.trim(), groups)) return false
  if (candidate.startsWith('+')) return digits.length >= 8
  if (digits.length <= 8) {
    return hasCue || /^\d{3}[ .-]\d{4}$/.test(candidate.trim())
  }
  // "180 120 220" are weights lifted; a Spanish mobile number begins with 6 or 7, a trunk prefix is 0.
  const isThreeByThree = groups.length === 3 && groups.every((group) => group.length === 3)
  return !isThreeByThree || hasCue || /^[067]/.test(digits)
}

/** Years, postcodes, decimals, coordinates, IPv4, thousands, dates, bits and lists that rise. */
function isOtherNumber(candidate: string, groups: readonly string[]): boolean {
  const digits = groups.join('')
  return (
    groups.every((group) => /^(?:19|20)\d\d$/.test(group)) ||
    (groups.length > 1 && groups.every((group) => group.length === 5)) ||
    /^\d{1,3}\.\d{4,}(?: -?\d{1,3}\.\d{3,})?$/.test(candidate) ||
    /^\d{1,3}(?:\.\d{1,3}){3}$/.test(candidate) ||
    /^\d{1,3}(?:[ .]\d{3})*[ .]000$/.test(candidate) ||
    /^(?:19|20)\d\d-\d\d-\d\d$|^\d\d?[.-]\d\d?[.-](?:19|20)\d\d$/.test(candidate) ||
    /^[01]+$/.test(digits) ||
    COUNTING.includes(digits) ||
    (groups.length > 4 && groups.every((group) => group.length <= 2) && isAscending(groups))
  )
}

function isAscending(groups: readonly string[]): boolean {
  return groups.every((group, i) => i === 0 || Number(group) >= Number(groups[i - 1]))
}
