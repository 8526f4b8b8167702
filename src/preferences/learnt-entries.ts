import type { InferenceCall } from '../inference/call.js'
import type { TextSimilarity } from '../profile/text-similarity.js'
import { isSpaceOf, type SpaceProbe } from '../profile/text-space.js'
import { cosine } from '../text/vectors.js'
import entrySigns from './entry-signs.json' with { type: 'json' }
import directions from './learnt-entries.json' with { type: 'json' }
import type { ProfileTerms } from './profile-terms.js'
import type { Evidence } from './preferences-contract.js'

export type EntryKind = Evidence['kind']

/** What speaks for an entry of a profile. */
export interface EntrySigns {
  /** 1 where the language model named it, else 0. */
  read: number
  /** 1 where it, or one that means the same, is learnt, else 0. */
  known: number
  /** Log-odds that a profile like this one is labelled with it; 0 where it is not known. */
  fit: number
  /** Of the nearest sentence of the bio, in deviations above unrelated texts; 0 without a bio. */
  bio: number
  /** The same of the tags of the photos. */
  photos: number
  /** 1 where it shares a word with the bio or a tag, else 0. */
  shared: number
}

/** Of the smooth maximum; the directions were learnt with this one. */
const SHARPNESS = 2

/** An entry that labelled profiles often have, with what tells their profiles from others. */
interface LearntEntry {
  name: string
  bias: number
  /** [d], in hundredths: the direction in which centred sentences speak for it, the longer the more. */
  sentences: readonly number[]
  /** The same for tags of photos. */
  tags: readonly number[]
}

/** Learnt by `models/clip-lite/recipe/fit_learnt_entries.py`. */
export interface EntryDirections {
  /** Of the text space that the directions are in. */
  probe: SpaceProbe
  entries: Record<EntryKind, readonly LearntEntry[]>
}

/** Weighs the signs of an entry; the logistic function of the sum is its probability. */
export type SignWeights = Record<EntryKind, { bias: number; weights: EntrySigns }>

/** Entries as labelled profiles have them, and what their signs are worth, fitted by `scripts/fit-preferences.js`. */
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
  const isKnownSpace = await isSpaceOf(directions.probe, similarity, call)
  return isKnownSpace
    ? createLearntEntries(directions, entrySigns.signs, similarity, call)
    : undefined
}

export async function createLearntEntries(
  { entries }: EntryDirections,
  signs: SignWeights,
  { embed, center }: Pick<TextSimilarity, 'embed' | 'center'>,
  call: InferenceCall,
): Promise<LearntEntries> {
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
    fitsOf(kind, profile) {
      const sentences = profile.sentences.map(({ embedding }) => center(embedding))
      const tags = profile.tags.map(({ embedding }) => center(embedding))
      return models[kind].map((model) => ({
        value: model.value,
        embedding: model.embedding,
        fit: model.bias + strongest(sentences, model.sentences) + strongest(tags, model.tags),
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

function fromHundredths(values: readonly number[]): Float32Array {
  return Float32Array.from(values, (hundredths) => hundredths / 100)
}

/**
 * What the terms say for an entry together: a smooth maximum of their products with its direction and of 0, so that a
 * second term that says the same adds little, and those that say nothing take nothing away.
 */
function strongest(terms: readonly Float32Array[], direction: Float32Array): number {
  const sum = terms.reduce((all, term) => all + Math.exp(SHARPNESS * cosine(term, direction)), 1)
  return Math.log(sum) / SHARPNESS
}
