import type { InferenceCall } from '../inference/call.js'
import type { VisionModel } from '../inference/vision.js'
import { cosine } from '../text/text-similarity.js'
import { TAG_VOCABULARY, type TagDefinition } from './tag-vocabulary.js'

/** A tag that a photo was given. */
export interface PhotoTag {
  definition: TagDefinition
  /** Share of the softmax over the whole vocabulary, in (0, 1]. */
  probability: number
}

export interface PhotoTagger {
  /** Tags of one photo, surest first; none when nothing in the vocabulary fits. */
  tag(embedding: Float32Array): PhotoTag[]
}

// With clip-lite, a tag above this is mostly right; where nothing fits, the softmax is spread thin.
const MIN_PROBABILITY = 0.35
const MAX_TAGS = 3
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
    return { definition, embedding: unitMean(own) }
  })
  const logitScale = vision.logitScale()

  return {
    tag(embedding) {
      const logits = tags.map((tag) => logitScale * cosine(embedding, tag.embedding))
      const probabilities = softmax(logits)
      return tags
        .map(({ definition }, i) => ({ definition, probability: probabilities[i]! }))
        .filter(
          (tag) =>
            tag.probability >= MIN_PROBABILITY && !UNASSERTED_GROUPS.has(tag.definition.group),
        )
        .sort((left, right) => right.probability - left.probability)
        .slice(0, MAX_TAGS)
    },
  }
}

function unitMean(embeddings: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(embeddings[0]!.length)
  for (const embedding of embeddings) embedding.forEach((value, i) => (sum[i]! += value))
  const norm = Math.hypot(...sum)
  return sum.map((value) => value / norm)
}

function softmax(logits: readonly number[]): number[] {
  const highest = Math.max(...logits)
  const weights = logits.map((logit) => Math.exp(logit - highest))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / total)
}
