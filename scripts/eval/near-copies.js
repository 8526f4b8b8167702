import { listWords } from '../../dist/text/words.js'

/** Share of words that stay when one text is turned into the other, from which on it is a copy with touches. */
const NEAR = 0.75

/**
 * Tells whether a text is nearly one of others: at least three quarters of the words of the longer one stay in place.
 * @param {readonly string[]} others
 */
export function createCopyFinder(others) {
  const originals = others.map((text) => listWords(text))
  return (/** @type {string} */ text) => {
    const words = listWords(text)
    return originals.some((original) => similarity(words, original) >= NEAR)
  }
}

/** One minus the edit distance in words over the words of the longer text. */
export function similarity(
  /** @type {readonly string[]} */ left,
  /** @type {readonly string[]} */ right,
) {
  const longer = Math.max(left.length, right.length)
  if (longer === 0) return 1
  if (Math.min(left.length, right.length) / longer < NEAR) return 0
  let before = right.map((_, i) => i + 1)
  before.unshift(0)
  left.forEach((word, i) => {
    const row = [i + 1]
    right.forEach((other, j) => {
      const replaced = (before[j] ?? 0) + (word === other ? 0 : 1)
      row.push(Math.min(replaced, (before[j + 1] ?? 0) + 1, (row[j] ?? 0) + 1))
    })
    before = row
  })
  return 1 - (before.at(-1) ?? 0) / longer
}
