import type { TextSimilarity } from '../profile/text-similarity.js'
import { roundTo } from '../text/round-to.js'
import { cosine } from '../text/vectors.js'
import { SAME_MEANING, type Candidate } from './collect-entries.js'
import type { EntryKind, LearnedEntries } from './learned-entries.js'
import type { Evidence } from './preferences-contract.js'
import { STATED_CONFIDENCE } from './vocabulary-evidence.js'

/**
 * Deviations above unrelated texts from which a sentence of the bio or a photo tag supports an entry. Chosen by hand, above
 * the 1.8 that the evaluation asks for.
 */
export const MIN_SUPPORT = 2
/** Support at which confidence reaches its maximum without learned entries; chosen by hand. */
const FULL_SUPPORT = 5
/** Highest confidence in an entry that the bio only comes close to; chosen by hand. */
const MAX_INDIRECT_CONFIDENCE = 0.9
/** Minimum probability of a supported entry. F1 on the tuning profiles is flat around these values. */
const MIN_PROBABILITY: Record<EntryKind, number> = { interest: 0.4, lifestyle: 0.2 }
/** The same for an entry whose word is in the profile or that the vocabulary found: people omit what they already said. */
const MIN_PROBABILITY_STATED: Record<EntryKind, number> = { interest: 0.3, lifestyle: 0.2 }
/** Minimum probability of an unsupported entry. Allowing these adds 0.04 to the F1 of lifestyle: docs/evaluation.md. */
const MIN_PROBABILITY_UNSUPPORTED = 0.7
/** For each kind; chosen by hand. */
const MAX_ENTRIES = 8

interface SelectedEntry {
  candidate: Candidate
  /** In [0, 1]. */
  confidence: number
}

/** Selects the candidates that become preferences and returns their evidence, highest confidence first. */
export function selectEntries(
  candidates: readonly Candidate[],
  learned: LearnedEntries | undefined,
  standardize: TextSimilarity['standardize'],
): Evidence[] {
  const selected = learned
    ? selectLikely(candidates, learned, standardize)
    : selectSupported(candidates)
  return selected.flatMap(evidenceOf).sort((left, right) => right.confidence - left.confidence)
}

/** The most probable first; of entries with the same meaning only the first. */
function selectLikely(
  candidates: readonly Candidate[],
  learned: LearnedEntries,
  standardize: TextSimilarity['standardize'],
): SelectedEntry[] {
  const likely = candidates
    .map((candidate) => ({
      candidate,
      confidence: learned.predictProbability(candidate.kind, candidate.features),
    }))
    .filter(({ candidate, confidence }) => confidence >= minProbability(candidate))
    .sort((left, right) => right.confidence - left.confidence)
  const selected: SelectedEntry[] = []
  for (const next of likely) {
    const ofKind = selected.filter(({ candidate }) => candidate.kind === next.candidate.kind)
    const isRepeated = ofKind.some(({ candidate }) => {
      const deviations = standardize(cosine(candidate.embedding, next.candidate.embedding))
      return deviations >= SAME_MEANING
    })
    if (!isRepeated && ofKind.length < MAX_ENTRIES) selected.push(next)
  }
  return selected
}

function minProbability({ kind, features, found }: Candidate): number {
  const isSupported =
    features.shared === 1 || Math.max(features.bio, features.photos) >= MIN_SUPPORT
  if (!isSupported) return MIN_PROBABILITY_UNSUPPORTED
  const isStated = features.shared === 1 || found.length > 0
  return (isStated ? MIN_PROBABILITY_STATED : MIN_PROBABILITY)[kind]
}

/** For packs without learned entries: what the vocabulary found, the bio names, or the bio supports. */
function selectSupported(candidates: readonly Candidate[]): SelectedEntry[] {
  return candidates
    .filter(
      ({ found, isNamed, features }) => found.length > 0 || isNamed || features.bio >= MIN_SUPPORT,
    )
    .map((candidate) => ({ candidate, confidence: confidenceOf(candidate) }))
}

function confidenceOf({ found, isNamed, features }: Candidate): number {
  // `evidenceOf` lowers it to the confidence of the evidence found.
  if (found.length > 0) return 1
  if (isNamed) return STATED_CONFIDENCE
  return Math.min(MAX_INDIRECT_CONFIDENCE, features.bio / FULL_SUPPORT)
}

/** One piece of evidence for each photo and the bio, with at most its own confidence. */
function evidenceOf({ candidate, confidence }: SelectedEntry): Evidence[] {
  const { kind, value, found, nearest } = candidate
  const pieces = found.length > 0 ? found : [{ kind, value, ...nearest }]
  const strongest = new Map<string, Evidence>()
  for (const piece of pieces) {
    const place = `${piece.source} ${piece.photo}`
    const known = strongest.get(place)
    if (!known || known.confidence < piece.confidence) strongest.set(place, piece)
  }
  return [...strongest.values()].map((piece) => ({
    ...piece,
    confidence: roundTo(Math.min(confidence, piece.confidence), 2),
  }))
}
