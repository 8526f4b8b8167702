import type { InferenceCall } from '../inference/inference-call.js'
import type { VisionModel } from '../inference/encoder/vision.js'
import { cosine, meanOf, unitNorm } from '../text/vectors.js'
import { GENERAL_TAGS, TAG_VOCABULARY, type TagDefinition } from './tag-vocabulary.js'

/** A tag of a photo. */
export interface PhotoTag {
  definition: TagDefinition
  /** Softmax over the whole vocabulary, in (0, 1]; of a general tag the sum over the tags that it covers. */
  probability: number
}

/** A tag of the vocabulary with its probability for a photo. */
export interface RankedTag extends PhotoTag {
  /** Whether the photo gets the tag. */
  isAsserted: boolean
}

export interface PhotoTagger {
  /**
   * The eight most probable tags and the general tags that stand in for several of them, most probable first; none is asserted if
   * nothing in the vocabulary fits.
   */
  rank(embedding: Float32Array): RankedTag[]
}

/** With clip-lite, a tag above this is mostly right. If nothing fits, no tag of the softmax reaches it. */
export const MIN_PROBABILITY = 0.35
/** Of 1,000 photos, one of each class of ImageNet, 118 of 119 dogs reach it for "dog", and else three wolves and a coyote get a dog for it. */
const MIN_GENERAL_PROBABILITY = 0.5
export const MAX_TAGS = 3
/** For explanations; more than can reach `MIN_PROBABILITY`. */
const RANKED = 8
// `neutral` tags say nothing about a person; tags of clothes lead to remarks on looks, and uniforms are often wrong.
const UNASSERTED_GROUPS: ReadonlySet<string> = new Set(['neutral', 'clothing and look'])
const CAPTIONS_PER_CALL = 128

const generalTags = GENERAL_TAGS.map((definition) => ({
  definition,
  /** Indices in the vocabulary. */
  covered: TAG_VOCABULARY.flatMap(({ tag }, i) => (definition.covers.includes(tag) ? [i] : [])),
}))

/**
 * A zero-shot tagger: a photo's embedding against the mean caption embedding of every tag.
 * Source: CLIP, arXiv:2103.00020, section 3.1.4 (prompt ensembling).
 */
export async function createPhotoTagger(
  vision: Pick<VisionModel, 'embedCaptions' | 'logitScale'>,
  call: InferenceCall,
): Promise<PhotoTagger> {
  const captions = TAG_VOCABULARY.flatMap((definition) => definition.prompts)
  const embeddings: Float32Array[] = []
  for (let start = 0; start < captions.length; start += CAPTIONS_PER_CALL) {
    embeddings.push(
      ...(await vision.embedCaptions(captions.slice(start, start + CAPTIONS_PER_CALL), call)),
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
    const ranked = indicesOfHighest(probabilities, RANKED).map((i) => ({
      definition: tags[i]!.definition,
      probability: probabilities[i]!,
    }))
    let asserted = 0
    return [...listGeneral(probabilities, ranked), ...ranked]
      .toSorted((left, right) => right.probability - left.probability)
      .map((tag) => {
        const isAsserted = asserted < MAX_TAGS && mayAssert(tag)
        if (isAsserted) asserted += 1
        return { ...tag, isAsserted }
      })
  }
  return { rank }
}

/** General tags that are probable although none of the tags that they cover is probable enough. */
function listGeneral(probabilities: readonly number[], ranked: readonly PhotoTag[]): PhotoTag[] {
  const sure = new Set(ranked.filter(mayAssert).map(({ definition }) => definition.tag))
  return generalTags
    .filter(({ definition }) => !definition.covers.some((tag) => sure.has(tag)))
    .map(({ definition, covered }) => ({
      definition,
      probability: covered.reduce((sum, i) => sum + probabilities[i]!, 0),
    }))
    .filter(({ probability }) => probability >= MIN_GENERAL_PROBABILITY)
}

function mayAssert({ definition, probability }: PhotoTag): boolean {
  return probability >= MIN_PROBABILITY && !UNASSERTED_GROUPS.has(definition.group)
}

/** Indices of the `count` highest values, highest first. */
function indicesOfHighest(values: readonly number[], count: number): number[] {
  const indices: number[] = []
  for (const [i, value] of values.entries()) {
    if (indices.length === count && value <= values[indices.at(-1)!]!) continue
    const at = indices.findIndex((index) => values[index]! < value)
    indices.splice(at === -1 ? indices.length : at, 0, i)
    indices.length = Math.min(indices.length, count)
  }
  return indices
}

function softmax(logits: readonly number[]): number[] {
  const highest = Math.max(...logits)
  const weights = logits.map((logit) => Math.exp(logit - highest))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / total)
}
