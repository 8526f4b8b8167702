import { familyStems } from '../text/word-families.js'
import { contentStems } from '../text/words.js'
import { isPlural, kindsOfThing, type KindOfThing } from './kinds-of-things.js'
import type { OpenerFacts } from './opener-facts.js'
import { compareRanks, drawRank } from './weighted-order.js'

/** The first words of a candidate and the end of its sentence. */
export interface Beginning {
  /** The template in the pack; empty for a candidate that the model begins itself. */
  pattern: string
  /** The filled template, used as the prefill. */
  text: string
  /** `?` for a question; undefined if the model decides. */
  end: '.' | '?' | undefined
}

const NO_BEGINNING: Beginning = { pattern: '', text: '', end: undefined }
const SLOT = /\{(photo|like|new|shared)(?::(\w+(?:,\w+)*))?\}/g
const WORDINGS = /\(([^()]*\|[^()]*)\)/g
const SINGULAR_OR_PLURAL = /\[([^[\]|]*)\|([^[\]|]*)\]/g
/** A first message does not comment on people or bodies. */
const EXCLUDED_KINDS: readonly KindOfThing[] = ['person', 'body']

/**
 * Fills templates with the facts and returns those that can be filled, in random order: templates with a higher weight
 * tend to come first. The order depends only on `random`.
 *
 * Syntax of a template:
 * - `{photo}`, `{like}`, `{new}`, `{shared}`: slots for a photo element, an interest of the recipient, an interest that
 *   the sender does not have, an interest that both have. `{photo:food,drink}` accepts only these kinds.
 * - `(a|b)`: one of these wordings. `[is|are]`: singular or plural, agreeing with the first slot.
 * - `…`: the model continues here; the character after it ends the sentence.
 * @param options.random - returns the next number in [0, 1)
 * @param options.weightOf - weight of a template, above 0
 */
export function orderBeginnings(
  patterns: readonly string[],
  facts: OpenerFacts,
  { random, weightOf }: { random: () => number; weightOf: (pattern: string) => number },
): Beginning[] {
  const filled = patterns
    .map((pattern) => ({
      beginning: fillBeginning(pattern, facts, random),
      rank: drawRank(weightOf(pattern), random),
    }))
    .flatMap(({ beginning, rank }) => (beginning ? [{ beginning, rank }] : []))
    .sort(compareRanks)
    .map(({ beginning }) => beginning)
  return filled.length > 0 ? filled : [NO_BEGINNING]
}

function fillBeginning(
  pattern: string,
  facts: OpenerFacts,
  random: () => number,
): Beginning | undefined {
  if (pattern === '') return NO_BEGINNING
  const used: string[] = []
  let isFilled = true
  const [head = '', end] = pattern.split('…')
  const worded = head.replace(WORDINGS, (_group, wordings: string) =>
    pick(wordings.split('|'), random),
  )
  const filled = worded.replace(SLOT, (_slot, source: SlotSource, kinds: string | undefined) => {
    const fitting = listEntries(source, facts).filter(
      (entry) => isUnrelated(entry, used) && matchesKinds(entry, kinds?.split(',')),
    )
    const entry = pick(fitting, random)
    if (entry === '') isFilled = false
    else used.push(entry)
    return entry
  })
  const usesPlural = isPlural(used[0] ?? '')
  const text = filled.replace(SINGULAR_OR_PLURAL, (_both, singular: string, plural: string) =>
    usesPlural ? plural : singular,
  )
  return isFilled ? { pattern, text: capitalize(text), end: end === '?' ? '?' : '.' } : undefined
}

/** Whether an entry shares no word family with those already used: "boating or boats" is no choice. */
function isUnrelated(entry: string, used: readonly string[]): boolean {
  if (used.length === 0) return true
  const known = familyStems(used.join(' . '))
  return ![...contentStems(entry)].some((stem) => known.has(stem))
}

/** A random entry; empty if there is none. */
function pick(entries: readonly string[], random: () => number): string {
  return entries[Math.floor(random() * entries.length)] ?? ''
}

/** The facts that fill a slot. */
type SlotSource = 'photo' | 'like' | 'new' | 'shared'

function listEntries(source: SlotSource, facts: OpenerFacts): readonly string[] {
  switch (source) {
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

function matchesKinds(entry: string, kinds: readonly string[] | undefined): boolean {
  const entryKinds = kindsOfThing(entry)
  return kinds
    ? kinds.some((kind) => entryKinds.has(kind as KindOfThing))
    : !EXCLUDED_KINDS.some((kind) => entryKinds.has(kind))
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
