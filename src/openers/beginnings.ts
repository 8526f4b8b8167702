import { familyStems } from '../text/word-families.js'
import { contentStems } from '../text/words.js'
import { isPlural, kindsOfThing, type KindOfThing } from './kinds-of-things.js'
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
const PLACE = /\{(photo|like|new|shared)(?::(\w+(?:,\w+)*))?\}/g
const CHOICE = /\(([^()]*\|[^()]*)\)/g
const BY_NUMBER = /\[([^[\]|]*)\|([^[\]|]*)\]/g
/** Nothing to remark on in a first message: people, and what belongs to a body. */
const UNFIT: readonly KindOfThing[] = ['person', 'body']

/**
 * The beginnings of a list that can be filled from what is known, in an order that depends on the numbers alone.
 * `{photo}`, `{like}`, `{new}` and `{shared}` are places for a photo element, an interest of the recipient, one that the
 * sender does not have and one that both have; `{photo:food,drink}` takes only such kinds. `(a|b)` is one of several wordings, `[is|are]` goes by
 * whether the first place holds one thing or several. `…` is where the model goes on, and what follows it ends the
 * sentence. The better ones tend to come first, yet not always the same: drawn one after the other by weight.
 * Source of the draw: P. Efraimidis and P. Spirakis, "Weighted random sampling with a reservoir", 2006.
 * @param options.random - the next number in [0, 1)
 * @param options.weightOf - how often a pattern comes before others, above 0
 */
export function orderBeginnings(
  patterns: readonly string[],
  facts: OpenerFacts,
  { random, weightOf }: { random: () => number; weightOf: (pattern: string) => number },
): Beginning[] {
  const filled = patterns
    .map((pattern) => ({
      beginning: fillBeginning(pattern, facts, random),
      rank: random() ** (1 / weightOf(pattern)),
    }))
    .flatMap(({ beginning, rank }) => (beginning ? [{ beginning, rank }] : []))
    .sort((left, right) => right.rank - left.rank)
    .map(({ beginning }) => beginning)
  return filled.length > 0 ? filled : [FREE]
}

function fillBeginning(
  pattern: string,
  facts: OpenerFacts,
  random: () => number,
): Beginning | undefined {
  if (pattern === '') return FREE
  const used: string[] = []
  let isFilled = true
  const [head = '', end] = pattern.split('…')
  const worded = head.replace(CHOICE, (_choice, wordings: string) =>
    pick(wordings.split('|'), random),
  )
  const filled = worded.replace(PLACE, (_place, what: Place, kinds: string | undefined) => {
    const fitting = listMaterial(what, facts).filter(
      (entry) => isNew(entry, used) && fitsKinds(entry, kinds?.split(',')),
    )
    const entry = pick(fitting, random)
    if (entry === '') isFilled = false
    else used.push(entry)
    return entry
  })
  const isSeveral = isPlural(used[0] ?? '')
  const text = filled.replace(BY_NUMBER, (_both, one: string, several: string) =>
    isSeveral ? several : one,
  )
  return isFilled ? { pattern, text: capitalize(text), end: end === '?' ? '?' : '.' } : undefined
}

/** "Boating or boats" is no choice. */
function isNew(entry: string, used: readonly string[]): boolean {
  if (used.length === 0) return true
  const known = familyStems(used.join(' . '))
  return ![...contentStems(entry)].some((stem) => known.has(stem))
}

/** One of the entries; empty where there is none. */
function pick(entries: readonly string[], random: () => number): string {
  return entries[Math.floor(random() * entries.length)] ?? ''
}

type Place = 'photo' | 'like' | 'new' | 'shared'

function listMaterial(what: Place, facts: OpenerFacts): readonly string[] {
  switch (what) {
    case 'photo':
      return facts.photoElements
    case 'like':
      return facts.likes
    case 'new':
      return facts.unfamiliar
    case 'shared':
      return facts.sharedInterests
  }
}

function fitsKinds(entry: string, kinds: readonly string[] | undefined): boolean {
  const own = kindsOfThing(entry)
  return kinds
    ? kinds.some((kind) => own.has(kind as KindOfThing))
    : !UNFIT.some((kind) => own.has(kind))
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
