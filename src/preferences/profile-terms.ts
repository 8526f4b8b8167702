import type { InferenceCall } from '../inference/call.js'
import { clip } from '../text/one-line.js'
import type { EmbeddedText, TextSimilarity } from '../profile/text-similarity.js'
import { cosine } from '../text/vectors.js'
import { listSentences } from '../text/words.js'
import type { PhotoTag } from '../profile/photo-tagger.js'

/** Of a bio, what is read of it. */
export const READ_CHARACTERS = 800

/** What a profile says, piece by piece. */
export interface ProfileTerms {
  sentences: readonly EmbeddedText[]
  /** Each tag once, with the photo that shows it most clearly, and how sure that is. */
  tags: readonly (EmbeddedText & { photo: number; probability: number })[]
}

/** @param profile - `tags` has those of each photo */
export async function readProfileTerms(
  { bio, tags }: { bio: string; tags: readonly (readonly PhotoTag[])[] },
  similarity: Pick<TextSimilarity, 'embed'>,
  call: InferenceCall,
): Promise<ProfileTerms> {
  const sentences = listSentences(clip(bio, READ_CHARACTERS))
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
    tags: [...seen].map(([text, sight], i) => ({
      text,
      embedding: embeddings[sentences.length + i]!,
      ...sight,
    })),
  }
}

/** The term nearest to a text, with how near it is in deviations above unrelated texts; undefined of none. */
export function nearestOf<T extends EmbeddedText>(
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
