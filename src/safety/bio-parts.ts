import { oneLine } from '../text/one-line.js'
import { listSentences } from '../text/words.js'

const MAX_PARTS = 16

/** What a classifier reads of a bio: all of it, and its sentences, neighbours taken together where they are many. */
export function listBioParts(bio: string): string[] {
  const sentences = listSentences(bio).map(oneLine).filter(Boolean)
  const whole = oneLine(bio)
  if (sentences.length < 2) return [whole]
  const perPart = Math.ceil(sentences.length / MAX_PARTS)
  const parts = Array.from({ length: Math.ceil(sentences.length / perPart) }, (_, i) =>
    sentences.slice(i * perPart, (i + 1) * perPart).join(' '),
  )
  return [...new Set([whole, ...parts])]
}
