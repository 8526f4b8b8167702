import { familyStems } from '../../text/word-families.js'
import { listWords } from '../../text/words.js'
import type { Style, Tone } from '../styles.js'
import type { Term } from './bio-terms.js'
import {
  keysOf,
  nameNothing,
  prepareConditions,
  type PreparedConditions,
} from './exemplar-conditions.js'
import { lineLogOdds } from './exemplar-odds.js'
import type { ExemplarConditions, ExemplarGroup } from './exemplar-schema.js'

/** A hand-written opener. */
export interface Exemplar {
  /** Its place in the library. */
  id: number
  text: string
  /** See `beginningOf`. */
  beginning: string
  style: Style
  tones: readonly Tone[]
  /** What it speaks of: exemplars that have one of these in common speak of the same thing. */
  subjects: readonly string[]
  /** Stems of all names of the interest that both have, any of which the text may use. */
  sharedStems: ReadonlySet<string>
  /** Log-odds that a reader would send it, as far as the line tells; `placeLogOdds` adds what the profile tells. */
  logOdds: number
  /** B: makes sense, but a strict reader would rather send another. */
  grade?: 'B' | undefined
}

/** Readers notice when messages begin alike. */
const BEGINNING_WORDS = 4

const NO_STEMS: ReadonlySet<string> = new Set()

/** Where a group stands in the library. */
interface Placement {
  index: number
  /** Id of its first exemplar. */
  firstId: number
  termOf: (text: string) => Term
}

/** Exemplars of one line of a file, prepared for many profiles. */
export interface PreparedGroup extends PreparedConditions {
  /** A profile for which the conditions hold has one of these. */
  keys: readonly string[]
  /** The conditions as they are written. */
  when: ExemplarConditions
  /** The condition on the bio in plain words. */
  means: string | undefined
  exemplars: readonly Exemplar[]
}

/** @param termOf - see `createTerms` */
export function prepareGroup(
  { when, means, openers }: ExemplarGroup,
  { index, firstId, termOf }: Placement,
): PreparedGroup {
  const conditions = prepareConditions(when, termOf)
  const keys = keysOf(conditions)
  const subjects = nameNothing(conditions) ? [`group ${index}`] : keys
  const sharedStems = when.shared ? familyStems(when.shared.join(' . ')) : NO_STEMS
  return {
    ...conditions,
    when,
    means,
    keys,
    exemplars: openers.map((opener, i) => ({
      ...opener,
      id: firstId + i,
      beginning: beginningOf(opener.text),
      subjects,
      sharedStems,
      logOdds: lineLogOdds(conditions, opener),
    })),
  }
}

/** The words by which openers begin alike, in lower case. */
export function beginningOf(text: string): string {
  return listWords(text).slice(0, BEGINNING_WORDS).join(' ')
}
