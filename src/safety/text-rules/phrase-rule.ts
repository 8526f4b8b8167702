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

/** A function that tells whether a folded text breaks one of the rules, in time linear in its length. */
export function compileRules(rules: readonly PhraseRule[]): (text: string) => boolean {
  const compiled = rules.map((rule) => ({ ...rule, phrase: globalExpression(rule.phrase) }))
  const ofWords = compiled.filter((_, i) => typeof rules[i]?.phrase === 'string')
  const others = compiled.filter((_, i) => typeof rules[i]?.phrase !== 'string')
  // One pass for all phrases of words takes a third of the time that a pass for each of them takes.
  const phrases = rules.flatMap(({ phrase }) => (typeof phrase === 'string' ? [phrase] : []))
  const screen = globalExpression(phrases.join('|'))
  return (text) =>
    (ofWords.length > 0 && says(text, screen) && ofWords.some((rule) => breaksRule(text, rule))) ||
    others.some((rule) => says(text, rule.phrase) && breaksRule(text, rule))
}

function globalExpression(phrase: string | RegExp): RegExp {
  if (typeof phrase === 'string') return new RegExp(`\\b(?:${phrase})\\b`, 'g')
  return new RegExp(phrase, `${phrase.flags}g`)
}

/** Cheaper than matchAll, which copies its expression, and unlike `test` without memory. */
function says(text: string, phrase: RegExp): boolean {
  return text.search(phrase) !== -1
}

function breaksRule(text: string, rule: PhraseRule & { phrase: RegExp }): boolean {
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
