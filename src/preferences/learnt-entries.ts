import type { InferenceCall } from '../inference/call.js'
import type { TextSimilarity } from '../text/text-similarity.js'
import { isSpaceOf, type SpaceProbe } from '../text/text-space.js'
import { cosine } from '../text/vectors.js'
import learnt from './learnt-entries.json' with { type: 'json' }
import { directionsOf, type ProfileTerms } from './profile-terms.js'
import type { Evidence } from './preferences-contract.js'

export type EntryKind = Evidence['kind']

/** What speaks for an entry of a profile. */
export interface EntrySigns {
  /** 1 where the language model named it, else 0. */
  read: number
  /** 1 where it, or one that means the same, is learnt, else 0. */
  known: number
  /** How profiles like this one are labelled: about the share that has it; 0 where it is not known. */
  fit: number
  /** Of the nearest sentence of the bio, in deviations above unrelated texts; 0 without a bio. */
  bio: number
  /** The same of the tags of the photos. */
  photos: number
  /** 1 where it shares a word with the bio or a tag, else 0. */
  shared: number
}

/** Linear models in hundredths, which is fine enough: scores move by less than 0.01. */
export interface LearntWeights {
  /** Of the space that the weights are for. */
  probe: SpaceProbe
  /** Entries that labelled profiles often have, each with what tells their profiles from others. */
  entries: Record<EntryKind, readonly { name: string; bias: number; weights: readonly number[] }[]>
  /** Weighs the signs of an entry; the logistic function of the sum is its probability. */
  signs: Record<EntryKind, { bias: number; weights: EntrySigns }>
}

/** Entries as labelled profiles have them, fitted by `scripts/fit-preferences.js`. */
export interface LearntEntries {
  /** How well each learnt entry fits a profile. */
  fitsOf(kind: EntryKind, profile: ProfileTerms): LearntFit[]
  /** That an entry with these signs is one that the person would name, in [0, 1]. */
  probabilityOf(kind: EntryKind, signs: EntrySigns): number
}

export interface LearntFit {
  value: string
  /** [d] float32, unit norm. */
  embedding: Float32Array
  fit: number
}

/** Undefined for packs whose text space is another one than the entries were learnt in. */
export async function loadLearntEntries(
  similarity: Pick<TextSimilarity, 'embed' | 'center'>,
  call: InferenceCall,
): Promise<LearntEntries | undefined> {
  const isKnownSpace = await isSpaceOf(learnt.probe, similarity, call)
  return isKnownSpace ? createLearntEntries(learnt, similarity, call) : undefined
}

export async function createLearntEntries(
  { probe, entries, signs }: LearntWeights,
  { embed, center }: Pick<TextSimilarity, 'embed' | 'center'>,
  call: InferenceCall,
): Promise<LearntEntries> {
  const prepare = async (kind: EntryKind) => {
    const embeddings = await embed(
      entries[kind].map(({ name }) => name),
      call,
    )
    return entries[kind].map(({ name, bias, weights }, i) => ({
      value: name,
      embedding: embeddings[i]!,
      bias,
      weights: Float32Array.from(weights, (hundredths) => hundredths / 100),
    }))
  }
  const models = { interest: await prepare('interest'), lifestyle: await prepare('lifestyle') }
  return {
    fitsOf(kind, profile) {
      const directions = directionsOf(profile, center, probe.embedding.length)
      return models[kind].map(({ value, embedding, bias, weights }) => ({
        value,
        embedding,
        fit: bias + cosine(directions, weights),
      }))
    },
    probabilityOf(kind, { read, known, fit, bio, photos, shared }) {
      const { bias, weights } = signs[kind]
      const logit =
        bias +
        weights.read * read +
        weights.known * known +
        weights.fit * fit +
        weights.bio * bio +
        weights.photos * photos +
        weights.shared * shared
      return 1 / (1 + Math.exp(-logit))
    },
  }
}
