/** Something a text must not say, and the surroundings in which it is harmless after all. */
export interface PhraseRule {
  /** On folded text (see `foldText`): whole words from `phrase`, or an expression of any form. */
  phrase: string | RegExp
  /** Tested on what the same sentence says before the phrase, at most 60 characters. */
  unlessPreceded?: RegExp
  /** Tested on what the same sentence says behind the phrase, at most 60 characters. */
  unlessFollowed?: RegExp
}

const CONTEXT_CHARACTERS = 60
const SENTENCE_END = /[.!?;|\n]/

/**
 * The source of an expression for whole words. Line breaks, which stand behind a `|` only, and the
 * indentation behind them are left out; parts are inserted as they are. Repetitions in it are bounded, so that a rule
 * takes time linear in the text.
 */
export function phrase(template: TemplateStringsArray, ...parts: readonly string[]): string {
  return String.raw({ raw: template.raw }, ...parts).replace(/\n\s*/g, '')
}

/** What ends in one of the alternatives of a `phrase`: a value for `unlessPreceded`. */
export function ending(template: TemplateStringsArray, ...parts: readonly string[]): RegExp {
  return new RegExp(`\\b(?:${phrase(template, ...parts)}) ?$`)
}

/** What begins with one of the alternatives of a `phrase`: a value for `unlessFollowed`. */
export function beginning(template: TemplateStringsArray, ...parts: readonly string[]): RegExp {
  return new RegExp(`^ ?(?:${phrase(template, ...parts)})`)
}

/** An expression written over several lines. */
export function expression(template: TemplateStringsArray, ...parts: readonly string[]): RegExp {
  return new RegExp(phrase(template, ...parts))
}

/** What matches any of the expressions. */
export function anyOf(...expressions: readonly RegExp[]): RegExp {
  return new RegExp(expressions.map(({ source }) => source).join('|'))
}

/** A function that tells, in linear time, whether a folded text breaks one of the rules. */
export function compileRules(rules: readonly PhraseRule[]): (text: string) => boolean {
  const groups = groupPhrases(rules).map((group) => ({
    // One pass for all phrases of a group takes a third of the time that a pass for each takes.
    screen: wholeWords(group.map(({ phrase }) => phrase).join('|')),
    rules: group.map((rule) => ({ ...rule, phrase: wholeWords(rule.phrase) })),
  }))
  const others = rules.flatMap(({ phrase, ...unless }) =>
    typeof phrase === 'string'
      ? []
      : [{ ...unless, phrase: new RegExp(phrase, `${phrase.flags}g`) }],
  )
  return (text) =>
    groups.some(({ screen, rules }) => says(text, screen) && rules.some(breaks(text))) ||
    others.some(breaks(text))
}

/** V8 does not optimise an expression of more than 20 KB and then takes ten times as long. */
const LONGEST_SCREEN = 8_000

type WordRule = PhraseRule & { phrase: string }

function groupPhrases(rules: readonly PhraseRule[]): WordRule[][] {
  const groups: WordRule[][] = []
  let length = Infinity
  for (const rule of rules) {
    if (typeof rule.phrase !== 'string') continue
    length += rule.phrase.length
    if (length > LONGEST_SCREEN) {
      groups.push([])
      length = rule.phrase.length
    }
    groups.at(-1)?.push({ ...rule, phrase: rule.phrase })
  }
  return groups
}

function wholeWords(source: string): RegExp {
  return new RegExp(`\\b(?:${source})\\b`, 'g')
}

function breaks(text: string) {
  return (rule: PhraseRule & { phrase: RegExp }) =>
    says(text, rule.phrase) && isUnexcused(text, rule)
}

/** Cheaper than matchAll, which copies its expression, and unlike `test` without memory. */
function says(text: string, phrase: RegExp): boolean {
  return text.search(phrase) !== -1
}

function isUnexcused(text: string, rule: PhraseRule & { phrase: RegExp }): boolean {
  const { phrase, unlessPreceded, unlessFollowed } = rule
  for (const match of text.matchAll(phrase)) {
    const isExcused =
      unlessPreceded?.test(sentenceBefore(text, match.index)) === true ||
      unlessFollowed?.test(sentenceBehind(text, match.index + match[0].length)) === true
    if (!isExcused) return true
  }
  return false
}

function sentenceBefore(text: string, index: number): string {
  const context = text.slice(Math.max(0, index - CONTEXT_CHARACTERS), index)
  return context.split(SENTENCE_END).at(-1) ?? ''
}

function sentenceBehind(text: string, index: number): string {
  return text.slice(index, index + CONTEXT_CHARACTERS).split(SENTENCE_END, 1)[0] ?? ''
}
