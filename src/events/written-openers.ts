import type { Selection } from '../openers/opener-policy.js'
import type { OpenerDetail, OpenerTraits } from '../openers/opener-traits.js'
import type { Style } from '../openers/styles.js'
import { roundTo } from '../text/round-to.js'

/** What is stored of an opener. Traits are stored only while learning is on, and older rows have none. */
export interface StoredOpener extends Partial<OpenerTraits> {
  style: Style
  /** Number of Unicode code points. */
  length: number
}

/** An opener in the column `openers` of `service_calls`. */
interface OpenerEntry {
  style: Style
  length: number
  question?: boolean
  detail?: OpenerDetail
  score?: number | null
}

/**
 * The column `openers` of a call. Only these fields are stored, whatever else the objects have: no text, above all.
 * @param traits - by opener index; empty while learning is off
 */
export function toStoredOpeners(
  openers: readonly Pick<StoredOpener, 'style' | 'length'>[],
  traits: readonly OpenerTraits[] = [],
): string {
  const entries = openers.map(({ style, length }, index): OpenerEntry => {
    const known = traits[index]
    if (!known) return { style, length }
    const { isQuestion, detail, score } = known
    const rounded = score === null ? null : roundTo(score, 3)
    return { style, length, question: isQuestion, detail, score: rounded }
  })
  return JSON.stringify(entries)
}

/** The openers of a call by their index; empty for other calls. */
export function parseStoredOpeners(text: string | null): StoredOpener[] {
  const entries = JSON.parse(text ?? '[]') as OpenerEntry[]
  return entries.map(({ style, length, question, detail, score = null }) =>
    question === undefined || detail === undefined
      ? { style, length }
      : { style, length, isQuestion: question, detail, score },
  )
}

/** The column `selection` of a call; like the openers, nothing but these fields. */
export function toStoredSelection({ arm, bucket, styles, probabilities }: Selection): string {
  return JSON.stringify({ arm, bucket, styles, probabilities })
}

/** How the styles of a call were chosen; undefined for a call that was made while learning was off. */
export function parseSelection(text: string | null): Selection | undefined {
  return text === null ? undefined : (JSON.parse(text) as Selection)
}
