import { isPlural, kindOfThing } from './kinds-of-things.js'
import type { OpenerFacts } from './opener-facts.js'

/** What a candidate begins with and how its sentence ends. */
export interface Beginning {
  /** As it stands in the pack; empty for a candidate that the model begins itself. */
  pattern: string
  /** Text the answer is made to begin with. */
  text: string
  /** `?` for a question; undefined where the model decides. */
  end: '.' | '?' | undefined
}

const FREE: Beginning = { pattern: '', text: '', end: undefined }
/** Words around a place that fit one thing only. */
const SINGULAR =
  /\}(?: in your photo)? (?:is|looks|was|makes|says|tells|has|have a|deserves|end|do)\b|name of the|old is the|Does the|long has the|^Is the/i
const PLACE = /\{(photo|like|shared)(?::(\w+))?\}/g

/**
 * The beginnings of a list that can be filled from what is known, in an order that depends on the numbers alone.
 * `{photo}`, `{photo:kind}`, `{like}` and `{shared}` are places for a photo element, an interest of the recipient and
 * something that both have; `…` is where the model goes on, and what follows it ends the sentence. Beginnings made
 * for the kind of a photo element come before the others.
 * @param random - the next number in [0, 1)
 */
export function orderBeginnings(
  patterns: readonly string[],
  facts: OpenerFacts,
  random: () => number,
): Beginning[] {
  const filled = patterns
    .map((pattern) => ({ beginning: fillBeginning(pattern, facts, random), rank: random() }))
    .flatMap(({ beginning, rank }) => (beginning ? [{ beginning, rank }] : []))
    .map(({ beginning, rank }) => ({
      beginning,
      rank: beginning.pattern.includes(':') ? rank * KIND_ADVANTAGE : rank,
    }))
    .sort((left, right) => left.rank - right.rank)
    .map(({ beginning }) => beginning)
  return filled.length > 0 ? filled : [FREE]
}

/** What fits the very thing reads best, yet alone it would be the same for every dog. */
const KIND_ADVANTAGE = 0.7

function fillBeginning(
  pattern: string,
  facts: OpenerFacts,
  random: () => number,
): Beginning | undefined {
  if (pattern === '') return FREE
  const used = new Set<string>()
  let isFilled = true
  const [head = '', end] = pattern.split('…')
  const isSingular = SINGULAR.test(pattern)
  const text = head.replace(PLACE, (_place, what: Place, kind: string | undefined) => {
    const fitting = listMaterial(what, facts).filter(
      (entry) => !used.has(entry) && fitsKind(entry, kind) && !(isSingular && isPlural(entry)),
    )
    const entry = fitting[Math.floor(random() * fitting.length)]
    if (entry === undefined) isFilled = false
    else used.add(entry)
    return entry ?? ''
  })
  return isFilled ? { pattern, text: capitalize(text), end: end === '?' ? '?' : '.' } : undefined
}

type Place = 'photo' | 'like' | 'shared'

function listMaterial(what: Place, facts: OpenerFacts): readonly string[] {
  switch (what) {
    case 'photo':
      return facts.photoElements
    case 'like':
      return facts.likes
    case 'shared':
      return facts.sharedInterests
  }
}

/** People are no things to ask about: "how long have you had the toddler". */
function fitsKind(entry: string, kind: string | undefined): boolean {
  const own = kindOfThing(entry)
  return kind === undefined ? own !== 'person' : own === kind
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
