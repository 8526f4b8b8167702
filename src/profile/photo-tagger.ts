import type { InferenceCall } from '../inference/call.js'
import type { VisionModel } from '../inference/encoder/vision.js'
import { cosine, meanOf, unitNorm } from '../text/vectors.js'
import { TAG_VOCABULARY, type TagDefinition } from './tag-vocabulary.js'

/** A tag that a photo was given. */
export interface PhotoTag {
  definition: TagDefinition
  /** Share of the softmax over the whole vocabulary, in (0, 1]. */
  probability: number
}

/** A tag of the vocabulary, whether a photo was given it or not. */
export interface RankedTag extends PhotoTag {
  isAsserted: boolean
}

export interface PhotoTagger {
  /** The eight tags that fit best, surest first; nothing is asserted when nothing in the vocabulary fits. */
  rank(embedding: Float32Array): RankedTag[]
}

// With clip-lite, a tag above this is mostly right; where nothing fits, the softmax is spread thin.
export const MIN_PROBABILITY = 0.35
export const MAX_TAGS = 3
/** More than can reach `MIN_PROBABILITY`, for explanations. */
const RANKED = 8
// `neutral` tags say nothing about a person; clothes lead to remarks on looks, and uniforms are often mistaken.
const UNASSERTED_GROUPS: ReadonlySet<string> = new Set(['neutral', 'clothing and look'])
const CAPTIONS_PER_CALL = 128

/**
 * A zero-shot tagger: a photo's embedding against the mean caption embedding of every tag.
 * Source: CLIP, arXiv:2103.00020, section 3.1.4 (prompt ensembling).
 */
export async function createPhotoTagger(
  vision: VisionModel,
  call: InferenceCall,
): Promise<PhotoTagger> {
  const captions = TAG_VOCABULARY.flatMap((definition) => definition.prompts)
  const embeddings: Float32Array[] = []
  for (let start = 0; start < captions.length; start += CAPTIONS_PER_CALL) {
    embeddings.push(
      ...(await vision.embedTexts(captions.slice(start, start + CAPTIONS_PER_CALL), call)),
    )
  }
  let next = 0
  const tags = TAG_VOCABULARY.map((definition) => {
    const own = embeddings.slice(next, (next += definition.prompts.length))
    return { definition, embedding: unitNorm(meanOf(own)) }
  })
  const logitScale = vision.logitScale()

  function rank(embedding: Float32Array): RankedTag[] {
    const probabilities = softmax(tags.map((tag) => logitScale * cosine(embedding, tag.embedding)))
    let asserted = 0
    return highest(probabilities, RANKED)
      .map((i) => ({ definition: tags[i]!.definition, probability: probabilities[i]! }))
      .map((tag) => {
        const isAsserted = asserted < MAX_TAGS && mayAssert(tag)
        if (isAsserted) asserted += 1
        return { ...tag, isAsserted }
      })
  }
  return { rank }
}

function mayAssert({ definition, probability }: PhotoTag): boolean {
  return probability >= MIN_PROBABILITY && !UNASSERTED_GROUPS.has(definition.group)
}

/** Places of the so many highest values, the highest first. */
function highest(values: readonly number[], count: number): number[] {
  const places: number[] = []
  for (const [i, value] of values.entries()) {
    if (places.length === count && value <= values[places.at(-1)!]!) continue
    const at = places.findIndex((place) => values[place]! < value)
    places.splice(at === -1 ? places.length : at, 0, i)
    places.length = Math.min(places.length, count)
  }
  return places
}

function softmax(logits: readonly number[]): number[] {
  const highest = Math.max(...logits)
  const weights = logits.map((logit) => Math.exp(logit - highest))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / total)
}
