import { oneLine } from '../text/one-line.js'
import type { Beginning } from './beginnings.js'

/**
 * Where a candidate with a given beginning ends: at the end of its first clause. A small model keeps one clause
 * together; what it adds after a comma or a conjunction is mostly absurd.
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

const ASKS =
  /^(?:what|how|where|who|which|when|why|is|are|was|were|do|did|does|have|has|can|could|would)\b/i

/** The clause as a whole sentence, without the quotation marks some models put around a message. */
export function finishSentence(generated: string, { text, end }: Beginning): string {
  const line = withoutQuotes(oneLine(text + generated)).replace(/[\s"“,;:]+$/u, '')
  if (/[!?…]$/u.test(line) && end !== '?') return line
  const open = line.replace(/[.!?…]+$/u, '')
  return open + (end ?? (ASKS.test(open) ? '?' : '.'))
}

export function withoutQuotes(line: string): string {
  return /^["“].*["”]$/u.test(line) ? line.slice(1, -1).trim() : line
}
