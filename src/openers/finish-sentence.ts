import { oneLine } from '../text/one-line.js'
import type { Beginning } from './beginnings.js'

/**
 * Stop strings of a candidate with a beginning: they end it after its first clause. A small model keeps one clause
 * coherent; what follows a comma or a conjunction is mostly absurd.
 */
export const CLAUSE_ENDS: readonly string[] = [
  '\n',
  ', ',
  '; ',
  ': ',
  '. ',
  '! ',
  '? ',
  ' – ',
  ' — ',
  ' but ',
  ' so I',
  ' so you',
  ' because ',
  ' though ',
  ' which ',
  ' and ',
]

const QUESTION_START =
  /^(?:what|how|where|who|which|when|why|is|are|was|were|do|did|does|have|has|can|could|would)\b/i

/** Joins beginning and generated text to a complete sentence, without the quotation marks that some models add. */
export function finishSentence(generated: string, { text, end }: Beginning): string {
  const line = withoutQuotes(oneLine(text + generated)).replace(/[\s"“,;:]+$/u, '')
  if (/[!?…]$/u.test(line) && end !== '?') return line
  const open = line.replace(/[.!?…]+$/u, '')
  return open + (end ?? (QUESTION_START.test(open) ? '?' : '.'))
}

export function withoutQuotes(line: string): string {
  return /^["“].*["”]$/u.test(line) ? line.slice(1, -1).trim() : line
}
