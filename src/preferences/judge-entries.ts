import { roundTo } from '../text/round-to.js'
import type { TextSimilarity } from '../profile/text-similarity.js'
import { cosine } from '../text/vectors.js'
import { SAME_MEANING, type Candidate } from './collect-entries.js'
import type { EntryKind, LearntEntries } from './learnt-entries.js'
import type { Evidence } from './preferences-contract.js'
import { SURE } from './vocabulary-evidence.js'

/**
 * Deviations above unrelated texts from which a sentence of the bio or a photo tag is taken to support an entry. Chosen by
 * hand, above the 1.8 that the evaluation asks for.
 */
export const MIN_SUPPORT = 2
/** At this many the confidence is full where nothing was learnt; chosen by hand. */
const FULL_SUPPORT = 5
/** Of what is near to a sentence and not in so many words; chosen by hand. */
const NEARLY_SURE = 0.9
/** Below it an entry is left out. F1 on the tuning profiles is flat around these. */
const MIN_PROBABILITY: Record<EntryKind, number> = { interest: 0.4, lifestyle: 0.2 }
/** The same for one whose word the profile has, or that the vocabulary finds: people miss what they said themselves. */
const MIN_PROBABILITY_SAID: Record<EntryKind, number> = { interest: 0.3, lifestyle: 0.2 }
/** From here on an entry needs no word or sentence near it, which gains 0.04 of F1 in lifestyle: docs/evaluation.md. */
const CLEAR = 0.7
/** Of each kind; chosen by hand. */
const MAX_ENTRIES = 8

/** The evidence of the entries that are told, surest first. */
export function judgeEntries(
  candidates: readonly Candidate[],
  learnt: LearntEntries | undefined,
  standardize: TextSimilarity['standardize'],
): Evidence[] {
  const told = learnt ? chooseLikely(candidates, learnt, standardize) : chooseSupported(candidates)
  return told.flatMap(evidenceOf).sort((left, right) => right.confidence - left.confidence)
}

interface Told {
  candidate: Candidate
  /** In [0, 1]. */
  confidence: number
}

/** The likeliest first, and none that means the same as one before. */
function chooseLikely(
  candidates: readonly Candidate[],
  learnt: LearntEntries,
  standardize: TextSimilarity['standardize'],
): Told[] {
  const likely = candidates
    .map((candidate) => ({
      candidate,
      confidence: learnt.probabilityOf(candidate.kind, candidate.signs),
    }))
    .filter(({ candidate, confidence }) => confidence >= leastProbability(candidate))
    .sort((left, right) => right.confidence - left.confidence)
  const told: Told[] = []
  for (const next of likely) {
    const ofKind = told.filter(({ candidate }) => candidate.kind === next.candidate.kind)
    const isSaid = ofKind.some(({ candidate }) => {
      const deviations = standardize(cosine(candidate.embedding, next.candidate.embedding))
      return deviations >= SAME_MEANING
    })
    if (!isSaid && ofKind.length < MAX_ENTRIES) told.push(next)
  }
  return told
}

function leastProbability({ kind, signs, found }: Candidate): number {
  const isSupported = signs.shared === 1 || Math.max(signs.bio, signs.photos) >= MIN_SUPPORT
  if (!isSupported) return CLEAR
  const isSaid = signs.shared === 1 || found.length > 0
  return (isSaid ? MIN_PROBABILITY_SAID : MIN_PROBABILITY)[kind]
}

/** Without anything learnt in this text space: what the vocabulary found, and what the bio supports. */
function chooseSupported(candidates: readonly Candidate[]): Told[] {
  return candidates
    .filter(({ found, isNamed, signs }) => found.length > 0 || isNamed || signs.bio >= MIN_SUPPORT)
    .map((candidate) => ({ candidate, confidence: confidenceOf(candidate) }))
}

function confidenceOf({ found, isNamed, signs }: Candidate): number {
  // What was found in a place is as sure as the place.
  if (found.length > 0) return 1
  return isNamed ? SURE : Math.min(NEARLY_SURE, signs.bio / FULL_SUPPORT)
}

/** One piece for each place, no surer than the place is. */
function evidenceOf({ candidate, confidence }: Told): Evidence[] {
  const { kind, value, found, nearest } = candidate
  const places = found.length > 0 ? found : [{ kind, value, ...nearest }]
  const surest = new Map<string, Evidence>()
  for (const piece of places) {
    const place = `${piece.source} ${piece.photo}`
    const known = surest.get(place)
    if (!known || known.confidence < piece.confidence) surest.set(place, piece)
  }
  return [...surest.values()].map((piece) => ({
    ...piece,
    confidence: roundTo(Math.min(confidence, piece.confidence), 2),
  }))
}
