import {
  MAX_CHARACTERS,
  MAX_DIRECT_CHARACTERS,
  MIN_CHARACTERS,
} from '../../dist/openers/checks/check-opener.js'
import { hasUnsupportedClaim } from '../../dist/openers/checks/unsupported-claims.js'
import { listUnsupportedStems } from '../../dist/openers/checks/unsupported-stems.js'
import { inventsName, inventsNumber } from '../../dist/openers/checks/names-and-numbers.js'
import { commentsOnLooks } from '../../dist/safety/appearance.js'
import { assessText } from '../../dist/safety/text-safety.js'
import { contentStems, listWords } from '../../dist/text/words.js'
import { createCopyFinder } from './near-copies.js'

const BEGINNING_WORDS = 4
/** Words that name something of which the profile says nothing. One can be a turn of phrase, more are a story. */
const MAX_STRANGERS = 1

/** @typedef {import('../../dist/openers/opener-facts.js').OpenerFacts} OpenerFacts */
/** @typedef {{ style: string, text: string, beginning: string }} Candidate `beginning` as people wrote it, filled */
/** @typedef {Candidate & { facts: OpenerFacts, others: string[] }} Row `others` are the texts of the same answer */

/** What the label of its style promises. */
export function keepsStyle(/** @type {Row} */ { text, style, facts }) {
  const asks = text.includes('?')
  switch (style) {
    case 'open_question':
      return asks
    case 'photo_callback':
      return names(text, facts.photoElements)
    case 'shared_interest':
      return names(text, facts.commonGround)
    case 'confident_direct':
      return !asks && [...text].length <= MAX_DIRECT_CHARACTERS
    default:
      return !asks
  }
}

function names(/** @type {string} */ text, /** @type {readonly string[]} */ entries) {
  const stems = contentStems(text)
  return [...contentStems(entries.join(' . '))].some((stem) => stems.has(stem))
}

/** Names something that the recipient's profile does. */
export function isGrounded(/** @type {Row} */ { text, facts }) {
  return [...contentStems(text)].some((stem) => facts.stems.has(stem))
}

/** In what the model chose: what people wrote to begin with is the same whatever the profile. */
export function invents(/** @type {Row} */ { text, beginning, facts }) {
  const own = text.startsWith(beginning) ? text.slice(beginning.length) : text
  return (
    inventsName(text, facts, beginning) ||
    inventsNumber(text, facts) ||
    hasUnsupportedClaim(own, facts) ||
    listUnsupportedStems(text, facts, beginning).length > MAX_STRANGERS
  )
}

/** Long and short enough to be sent. */
export function hasLength(/** @type {Row} */ { text }) {
  return [...text].length >= MIN_CHARACTERS && [...text].length <= MAX_CHARACTERS
}

/** Safe to show, without a remark on looks. */
export function isSafe(/** @type {Row} */ { text }) {
  return assessText(text, 'generated').safe && !commentsOnLooks(text)
}

/** Nearly a copy of another one of its answer. */
export function isAlike(/** @type {Row} */ { text, others }) {
  return createCopyFinder(others)(text)
}

/** One for each opener whose first words open a message to another person too, else zero. */
export function markSameBeginnings(/** @type {readonly Row[]} */ rows) {
  const keys = rows.map(({ text }) => listWords(text).slice(0, BEGINNING_WORDS).join(' '))
  return rows.map(({ facts }, i) =>
    Number(rows.some((other, k) => keys[k] === keys[i] && other.facts !== facts)),
  )
}

/**
 * Share in [0, 1] of pairs of words that are different, over all texts.
 * Source: Li et al., arXiv:1510.03055 (distinct-2)
 */
export function distinctPairs(/** @type {readonly string[]} */ texts) {
  const pairs = texts.flatMap((text) => {
    const words = listWords(text)
    return words.slice(1).map((word, i) => `${words[i]} ${word}`)
  })
  return new Set(pairs).size / pairs.length
}
