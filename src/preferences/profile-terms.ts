import type { InferenceCall } from '../inference/inference-call.js'
import { truncate } from '../text/truncate.js'
import type { EmbeddedText, TextSimilarity } from '../profile/text-similarity.js'
import { cosine } from '../text/vectors.js'
import { listSentences } from '../text/words.js'
import type { PhotoTag } from '../profile/photo-tagger.js'

/** Longer bios are truncated for the prompt and for embeddings. */
export const ANALYZED_BIO = { characters: 800, tokens: 400 }

/** The short texts that a profile consists of. */
export interface ProfileTerms {
  sentences: readonly EmbeddedText[]
  /** Each tag once, with the photo in which it is most probable. */
  tags: readonly (EmbeddedText & { photo: number; probability: number })[]
}

/**
 * Embeds the sentences and tags of a profile.
 * @param profile - `tags` holds the tags of each photo
 */
export async function embedProfileTerms(
  { bio, tags }: { bio: string; tags: readonly (readonly PhotoTag[])[] },
  similarity: Pick<TextSimilarity, 'embed'>,
  call: InferenceCall,
): Promise<ProfileTerms> {
  const sentences = listSentences(truncate(bio, ANALYZED_BIO))
  const seen = new Map<string, { photo: number; probability: number }>()
  tags.forEach((shown, photo) => {
    for (const { definition, probability } of shown) {
      const known = seen.get(definition.tag)
      if (!known || known.probability < probability) {
        seen.set(definition.tag, { photo, probability })
      }
    }
  })
  const embeddings = await similarity.embed([...sentences, ...seen.keys()], call)
  return {
    sentences: sentences.map((text, i) => ({ text, embedding: embeddings[i]! })),
    tags: [...seen].map(([text, shownBy], i) => ({
      text,
      embedding: embeddings[sentences.length + i]!,
      ...shownBy,
    })),
  }
}

/** The term nearest to an embedding, with its similarity in deviations above unrelated texts; undefined without terms. */
export function findNearest<T extends EmbeddedText>(
  terms: readonly T[],
  embedding: Float32Array,
  standardize: TextSimilarity['standardize'],
): { term: T; deviations: number } | undefined {
  let best: { term: T; deviations: number } | undefined
  for (const term of terms) {
    const deviations = standardize(cosine(term.embedding, embedding))
    if (!best || deviations > best.deviations) best = { term, deviations }
  }
  return best
}
