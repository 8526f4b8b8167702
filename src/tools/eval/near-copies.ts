import { listWords } from '../../text/words.js'

/** Share of words in place from which a text counts as a copy with small changes. */
const MIN_COPY_SIMILARITY = 0.75

/** Returns a function that detects near copies of texts: three quarters of the words of the longer text are in place. */
export function createNearCopyDetector(originals: readonly string[]): (text: string) => boolean {
  const originalWords = originals.map((original) => listWords(original))
  return (text) => {
    const words = listWords(text)
    return originalWords.some((original) => wordSimilarity(words, original) >= MIN_COPY_SIMILARITY)
  }
}

/** One minus the edit distance in words divided by the words of the longer text; 0 if the lengths differ too much. */
function wordSimilarity(left: readonly string[], right: readonly string[]): number {
  const longer = Math.max(left.length, right.length)
  if (longer === 0) return 1
  if (Math.min(left.length, right.length) / longer < MIN_COPY_SIMILARITY) return 0
  let previous = Array.from({ length: right.length + 1 }, (_, i) => i)
  for (const [i, word] of left.entries()) {
    const row = [i + 1]
    for (const [j, other] of right.entries()) {
      const replaced = previous[j]! + (word === other ? 0 : 1)
      row.push(Math.min(replaced, previous[j + 1]! + 1, row[j]! + 1))
    }
    previous = row
  }
  return 1 - previous[right.length]! / longer
}
