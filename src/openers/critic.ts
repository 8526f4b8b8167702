import type { Generation } from '../inference/language/language.js'
import type { OpenerCritic } from '../inference/language/opener-guidance.js'
import { contentStems, listWords } from '../text/words.js'
import type { Beginning } from './beginnings.js'
import type { OpenerFacts } from './opener-facts.js'

/** A candidate as its critic sees it. */
export interface CriticizedText {
  text: string
  beginning: Beginning
  certainty: Generation['certainty']
  facts: OpenerFacts
}

// Chosen by hand, so that outliers count no more than these. `scripts/fit-openers.js` describes its candidates by this
// file: with other bounds, or other features, a critic has to be fitted anew.
const LEAST_MEAN = -2
const LEAST = -6
const MOST_DETAILS = 3

/** What a beginning is made of, whatever fills it. */
function describePattern(pattern: string) {
  const places = pattern.match(/\{\w+(?::[\w,]+)?\}/g) ?? []
  return {
    places: places.length,
    forKind: places.some((place) => place.includes(':')) ? 1 : 0,
    patternWords: Math.log1p(listWords(pattern.replace(/[{(].*?[)}]/g, ' x ')).length),
  }
}

/** Numbers that tell candidates worth sending from others, each of a small range. */
export function describeCandidate({ text, beginning, certainty, facts }: CriticizedText) {
  const known = facts.stems
  const own = text.slice(beginning.text.length)
  const words = listWords(own)
  const stems = words.flatMap((word) => [...contentStems(word)])
  const count = (pattern: RegExp) => own.match(pattern)?.length ?? 0
  const isDetail = (stem: string) => known.has(stem)
  const length = Math.log1p(words.length)
  // A beginning that names a detail is whole without more, so what comes then is a tail.
  const isTail = [...contentStems(beginning.text)].some(isDetail)
  return {
    ...describePattern(beginning.pattern),
    mean: Math.max(certainty.mean, LEAST_MEAN),
    least: Math.max(certainty.least, LEAST),
    words: isTail ? 0 : length,
    tail: isTail ? length : 0,
    isTail: isTail ? 1 : 0,
    isBare: words.length === 0 ? 1 : 0,
    ownDetails: Math.min(stems.filter(isDetail).length, MOST_DETAILS),
    quoted: longestRun(words, facts),
    repeats: repeatedStems(text),
    relative: count(/\b(?:that|who|which|where|when|while|before|after)\b/giu),
    links: count(/\b(?:with|without|from|in|on|at|by|for|as|into|than)\b/giu),
    pronouns: count(/\b(?:it|they|them|he|she|him|her|its|their|one)\b/giu),
    a: count(/\ban?\b/giu),
    extremes: count(/\b(?:only|most|ever|never|best|worst|first|last|nobody|always)\b/giu),
    denies: count(/\b(?:not|no|without|\p{L}+n['’]t)\b/giu),
  }
}

/** Words of the longest run that stands in the bio too, at most four. */
function longestRun(words: readonly string[], { bio }: OpenerFacts): number {
  const haystack = ` ${listWords(bio).join(' ')} `
  const stands = (length: number) =>
    words.some((_, at) => {
      const run = words.slice(at, at + length)
      return run.length === length && haystack.includes(` ${run.join(' ')} `)
    })
  return [4, 3, 2].find(stands) ?? 0
}

function repeatedStems(text: string): number {
  const stems = listWords(text).flatMap((word) => [...contentStems(word)])
  return stems.length - new Set(stems).size
}

type Judge = OpenerCritic['sensible' | 'sent']

function weigh({ weights }: Judge, features: readonly [string, number][]): number {
  return features.reduce((total, [name, value]) => total + (weights[name] ?? 0) * value, 0)
}

/**
 * How often a beginning is tried, relative to others, in (0, 1]: the odds that it adds to what readers think of a candidate. Those
 * that readers like more than most are not tried more often for it, or everybody would get the same few. 1 for a pack
 * without a critic.
 */
export function weightOfPattern(critic: OpenerCritic | undefined, pattern: string): number {
  if (!critic) return 1
  const features = Object.entries(describePattern(pattern))
  const logits = [critic.sensible, critic.sent].map(
    (judge) => weigh(judge, features) + (judge.beginnings[pattern] ?? 0),
  )
  return Math.min(1, Math.exp(logits.reduce((sum, logit) => sum + logit, 0)))
}

/** The grade that the critic expects in (0, 1): 0 makes no sense, 0.5 does, 1 would be sent as it is. */
export function criticize(critic: OpenerCritic, candidate: CriticizedText): number {
  const features = Object.entries(describeCandidate(candidate))
  const probability = (judge: Judge) => {
    const own = judge.beginnings[candidate.beginning.pattern] ?? 0
    return 1 / (1 + Math.exp(-(judge.bias + own + weigh(judge, features))))
  }
  return (probability(critic.sensible) + probability(critic.sent)) / 2
}
