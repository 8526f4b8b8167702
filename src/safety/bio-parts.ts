import type { BioReading } from '../inference/encoder/vision.js'
import { oneLine } from '../text/one-line.js'
import { listSentences } from '../text/words.js'

const MAX_PARTS = 16
/** More than nearly all sentences have. A hint among more harmless words than this goes unseen by the model. */
const MAX_WORDS = 30

/**
 * What a classifier reads of a bio: all of it, and its sentences; long ones in pieces, neighbours taken together where
 * there are many.
 */
export function listBioParts(bio: string): BioReading {
  const pieces = listSentences(bio).map(oneLine).filter(Boolean).flatMap(cutLongSentence)
  const whole = oneLine(bio)
  if (pieces.length < 2) return [whole]
  const perPart = Math.ceil(pieces.length / MAX_PARTS)
  const parts = Array.from({ length: Math.ceil(pieces.length / perPart) }, (_, i) =>
    pieces.slice(i * perPart, (i + 1) * perPart).join(' '),
  )
  return [whole, ...new Set(parts)]
}

/** Pieces of about the same length, so that the last is not a word or two without context. */
function cutLongSentence(sentence: string): string[] {
  const words = sentence.split(' ')
  const count = Math.ceil(words.length / MAX_WORDS)
  const perPiece = Math.ceil(words.length / count)
  return Array.from({ length: count }, (_, i) =>
    words.slice(i * perPiece, (i + 1) * perPiece).join(' '),
  )
}
