import type { InferenceCall } from '../inference/inference-call.js'
import type { TextSimilarity } from '../profile/text-similarity.js'
import { isSameTextSpace, type SpaceProbe } from '../profile/text-space.js'
import { cosine } from '../text/vectors.js'
import entryFeatures from './entry-features.json' with { type: 'json' }
import directions from './learned-entries.json' with { type: 'json' }
import type { ProfileTerms } from './profile-terms.js'
import type { Evidence } from './preferences-contract.js'

export type EntryKind = Evidence['kind']

/** Features of a candidate entry for the logistic regression. */
export interface EntryFeatures {
  /** 1 if the language model read it in the bio, else 0. */
  read: number
  /** 1 if it or an entry with the same meaning is a learned entry, else 0. */
  known: number
  /** Log-odds that such a profile has it as a label; 0 if it is not a learned entry. */
  fit: number
  /** Similarity to the nearest sentence of the bio, in deviations above unrelated texts; 0 without a bio. */
  bio: number
  /** The same for the tags of the photos. */
  photos: number
  /** 1 if it shares a word stem with the bio or a tag, else 0. */
  shared: number
}

/** Of the smooth maximum; the directions were learned with this value. */
const SHARPNESS = 2

/** A frequent label of the training profiles, with a model of which profiles have it. */
interface LearnedEntry {
  name: string
  bias: number
  /** [d], in hundredths: weights of centered sentence embeddings. */
  sentences: readonly number[]
  /** [d], in hundredths: weights of centered embeddings of photo tags. */
  tags: readonly number[]
}

/** Written by `models/clip-lite/recipe/fit_learned_entries.py`. */
export interface EntryDirections {
  /** Identifies the text space of the directions. */
  probe: SpaceProbe
  entries: Record<EntryKind, readonly LearnedEntry[]>
}

/** A logistic regression for each kind. */
export type FeatureWeights = Record<EntryKind, { bias: number; weights: EntryFeatures }>

/** Entries learned from labelled profiles, with regressions fitted by `src/tools/training/fit-preferences.ts`. */
export interface LearnedEntries {
  /** The fit of each learned entry to a profile. */
  measureFits(kind: EntryKind, profile: ProfileTerms): LearnedFit[]
  /** Probability in [0, 1] that the person would name an entry with these features. */
  predictProbability(kind: EntryKind, features: EntryFeatures): number
}

export interface LearnedFit {
  value: string
  /** [d] float32, unit norm. */
  embedding: Float32Array
  /** Log-odds that the profile has the entry as a label. */
  fit: number
}

/** Undefined if the pack's text space is not the one that the entries were learned in. */
export async function loadLearnedEntries(
  similarity: Pick<TextSimilarity, 'embed' | 'center'>,
  call: InferenceCall,
): Promise<LearnedEntries | undefined> {
  const isKnownSpace = await isSameTextSpace(directions.probe, similarity, call)
  return isKnownSpace
    ? createLearnedEntries(directions, entryFeatures.features, similarity, call)
    : undefined
}

export async function createLearnedEntries(
  { entries }: EntryDirections,
  regressions: FeatureWeights,
  { embed, center }: Pick<TextSimilarity, 'embed' | 'center'>,
  call: InferenceCall,
): Promise<LearnedEntries> {
  const prepare = async (kind: EntryKind) => {
    const embeddings = await embed(
      entries[kind].map(({ name }) => name),
      call,
    )
    return entries[kind].map(({ name, bias, sentences, tags }, i) => ({
      value: name,
      embedding: embeddings[i]!,
      bias,
      sentences: fromHundredths(sentences),
      tags: fromHundredths(tags),
    }))
  }
  const models = { interest: await prepare('interest'), lifestyle: await prepare('lifestyle') }
  return {
    measureFits(kind, profile) {
      const sentences = profile.sentences.map(({ embedding }) => center(embedding))
      const tags = profile.tags.map(({ embedding }) => center(embedding))
      return models[kind].map((model) => ({
        value: model.value,
        embedding: model.embedding,
        fit: model.bias + smoothMax(sentences, model.sentences) + smoothMax(tags, model.tags),
      }))
    },
    predictProbability(kind, { read, known, fit, bio, photos, shared }) {
      const { bias, weights } = regressions[kind]
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

function fromHundredths(values: readonly number[]): Float32Array {
  return Float32Array.from(values, (hundredths) => hundredths / 100)
}

/**
 * Smooth maximum of 0 and the products of the terms with a direction. A second similar term adds little, and unrelated
 * terms subtract nothing.
 */
function smoothMax(terms: readonly Float32Array[], direction: Float32Array): number {
  const sum = terms.reduce((all, term) => all + Math.exp(SHARPNESS * cosine(term, direction)), 1)
  return Math.log(sum) / SHARPNESS
}
