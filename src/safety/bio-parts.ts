import type { BioReading } from '../inference/encoder/vision.js'
import { oneLine } from '../text/one-line.js'
import { listSentences } from '../text/words.js'

const MAX_PARTS = 16
/** Longer than almost all sentences. The model misses a hint among more harmless words than this. */
const MAX_WORDS = 30

/**
 * The texts that the classifier reads of a bio: the whole and its sentences. Long sentences are split, and neighbours are
 * joined if there are more than `MAX_PARTS`.
 */
export function listBioParts(bio: string): BioReading {
  const pieces = listSentences(bio).map(oneLine).filter(Boolean).flatMap(splitLongSentence)
  const whole = oneLine(bio)
  if (pieces.length < 2) return [whole]
  const perPart = Math.ceil(pieces.length / MAX_PARTS)
  const parts = Array.from({ length: Math.ceil(pieces.length / perPart) }, (_, i) =>
    pieces.slice(i * perPart, (i + 1) * perPart).join(' '),
  )
  return [whole, ...new Set(parts)]
}

/** Splits into pieces of similar length, so that the last is not a word or two without context. */
function splitLongSentence(sentence: string): string[] {
  const words = sentence.split(' ')
  const count = Math.ceil(words.length / MAX_WORDS)
  const perPiece = Math.ceil(words.length / count)
  return Array.from({ length: count }, (_, i) =>
    words.slice(i * perPiece, (i + 1) * perPiece).join(' '),
  )
}
