import type { Generation } from '../inference/language.js'
import type { OpenerCritic } from '../inference/opener-guidance.js'
import { contentStems, listWords } from '../text/words.js'
import type { Beginning } from './beginnings.js'
import { listStrangers } from './checks/details.js'
import { isPlain } from './checks/plain-words.js'
import { recipientStems, type OpenerFacts } from './opener-facts.js'

/** A candidate as its critic sees it. */
export interface CriticizedText {
  text: string
  beginning: Beginning
  certainty: Generation['certainty']
  facts: OpenerFacts
}

const LEAST_MEAN = -2
const LEAST = -6
const MOST_DETAILS = 3

/** Numbers that tell candidates worth sending from others, each of a small range. */
export function describeCandidate({ text, beginning, certainty, facts }: CriticizedText) {
  const known = recipientStems(facts)
  const own = text.slice(beginning.text.length)
  const words = listWords(own)
  const stems = words.flatMap((word) => [...contentStems(word)])
  const count = (pattern: RegExp) => own.match(pattern)?.length ?? 0
  return {
    mean: Math.max(certainty.mean, LEAST_MEAN),
    least: Math.max(certainty.least, LEAST),
    words: Math.log1p(words.length),
    details: Math.min(
      [...contentStems(text)].filter((stem) => known.has(stem)).length,
      MOST_DETAILS,
    ),
    ownDetails: Math.min(stems.filter((stem) => known.has(stem)).length, MOST_DETAILS),
    strangers: listStrangers(text, facts, beginning.text).length,
    plain: stems.filter((stem) => isPlain(stem) && !known.has(stem)).length,
    repeats: stems.length - new Set(stems).size,
    joins: count(/\b(?:and|or|then)\b/giu),
    relative: count(/\b(?:that|who|which|where|when|while|before|after)\b/giu),
    pronouns: count(/\b(?:it|they|them|he|she|him|her|its|their|one)\b/giu),
    extremes: count(/\b(?:only|most|ever|never|best|worst|first|last|nobody|always)\b/giu),
    denies: count(/\b(?:not|no|without|\p{L}+n['’]t)\b/giu),
    isFree: beginning.pattern === '' ? 1 : 0,
  }
}

/** The critic's estimate that a person would find the candidate sensible and send it, in (0, 1). */
export function criticize(critic: OpenerCritic, candidate: CriticizedText): number {
  const features = Object.entries(describeCandidate(candidate))
  const own = critic.beginnings[candidate.beginning.pattern] ?? 0
  const sum = features.reduce(
    (total, [name, value]) => total + (critic.weights[name] ?? 0) * value,
    critic.bias + own,
  )
  return 1 / (1 + Math.exp(-sum))
}
