import type { Generation } from '../inference/language/language.js'
import type { OpenerReranker, RerankerFeature } from '../inference/language/opener-guidance.js'
import { contentStems, listWords } from '../text/words.js'
import type { Beginning } from './beginnings.js'
import type { OpenerFacts } from './opener-facts.js'

/** A candidate as the reranker scores it. */
export interface RerankerInput {
  text: string
  beginning: Beginning
  logprob: Generation['logprob']
  facts: OpenerFacts
}

type Features = Record<RerankerFeature, number>
type PatternFeatures = Pick<Features, 'places' | 'forKind' | 'patternWords'>
type LogisticModel = OpenerReranker['sensible' | 'sent']

// Limits on outliers, chosen by hand. `src/tools/training/fit-openers.ts` extracts its features with this file: after a change
// of a limit or a feature, fit the reranker again.
const MIN_MEAN_LOGPROB = -2
const MIN_LOGPROB = -6
const MAX_DETAILS = 3

/** Features of a candidate, each in a small range. */
export function extractFeatures({ text, beginning, logprob, facts }: RerankerInput): Features {
  const known = facts.stems
  const continuation = text.slice(beginning.text.length)
  const words = listWords(continuation)
  const stems = words.flatMap((word) => [...contentStems(word)])
  const count = (pattern: RegExp) => continuation.match(pattern)?.length ?? 0
  const isDetail = (stem: string) => known.has(stem)
  const length = Math.log1p(words.length)
  // A beginning that names a detail is complete by itself, so the continuation is a tail.
  const isTail = [...contentStems(beginning.text)].some(isDetail)
  return {
    ...extractPatternFeatures(beginning.pattern),
    mean: Math.max(logprob.mean, MIN_MEAN_LOGPROB),
    least: Math.max(logprob.min, MIN_LOGPROB),
    words: isTail ? 0 : length,
    tail: isTail ? length : 0,
    isTail: isTail ? 1 : 0,
    isBare: words.length === 0 ? 1 : 0,
    ownDetails: Math.min(stems.filter(isDetail).length, MAX_DETAILS),
    quoted: longestQuote(words, facts.bio),
    repeats: countRepeatedStems(text),
    relative: count(/\b(?:that|who|which|where|when|while|before|after)\b/giu),
    links: count(/\b(?:with|without|from|in|on|at|by|for|as|into|than)\b/giu),
    pronouns: count(/\b(?:it|they|them|he|she|him|her|its|their|one)\b/giu),
    a: count(/\ban?\b/giu),
    extremes: count(/\b(?:only|most|ever|never|best|worst|first|last|nobody|always)\b/giu),
    denies: count(/\b(?:not|no|without|\p{L}+n['’]t)\b/giu),
  }
}

/** Features of a template, whatever fills its slots. */
function extractPatternFeatures(pattern: string): PatternFeatures {
  const slots = pattern.match(/\{\w+(?::[\w,]+)?\}/g) ?? []
  return {
    places: slots.length,
    forKind: slots.some((slot) => slot.includes(':')) ? 1 : 0,
    patternWords: Math.log1p(listWords(pattern.replace(/[{(].*?[)}]/g, ' x ')).length),
  }
}

/** Length in words of the longest run that the bio contains too, at most 4; 0 for a single word. */
function longestQuote(words: readonly string[], bio: string): number {
  const haystack = ` ${listWords(bio).join(' ')} `
  const isQuoted = (length: number) =>
    words.some((_, start) => {
      const run = words.slice(start, start + length)
      return run.length === length && haystack.includes(` ${run.join(' ')} `)
    })
  return [4, 3, 2].find(isQuoted) ?? 0
}

function countRepeatedStems(text: string): number {
  const stems = listWords(text).flatMap((word) => [...contentStems(word)])
  return stems.length - new Set(stems).size
}

function weightedSum({ weights }: LogisticModel, features: Partial<Features>): number {
  const entries = Object.entries(features) as [RerankerFeature, number][]
  return entries.reduce((sum, [name, value]) => sum + weights[name] * value, 0)
}

/**
 * How often a beginning is tried relative to others, in (0, 1]: the factor by which it changes a candidate's odds. Capped
 * at 1, because trying popular beginnings more often would give everybody the same few. 1 without a reranker.
 */
export function patternWeight(reranker: OpenerReranker | undefined, pattern: string): number {
  if (!reranker) return 1
  const features = extractPatternFeatures(pattern)
  const logits = [reranker.sensible, reranker.sent].map(
    (model) => weightedSum(model, features) + (model.beginnings[pattern] ?? 0),
  )
  return Math.min(1, Math.exp(logits.reduce((sum, logit) => sum + logit, 0)))
}

/** Expected grade of a candidate in (0, 1): 0 makes no sense, 0.5 makes sense, 1 would be sent unchanged. */
export function scoreCandidate(reranker: OpenerReranker, candidate: RerankerInput): number {
  const features = extractFeatures(candidate)
  const probability = (model: LogisticModel) => {
    const beginningWeight = model.beginnings[candidate.beginning.pattern] ?? 0
    return 1 / (1 + Math.exp(-(model.bias + beginningWeight + weightedSum(model, features))))
  }
  return (probability(reranker.sensible) + probability(reranker.sent)) / 2
}
