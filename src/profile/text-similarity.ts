import type { InferenceCall } from '../inference/inference-call.js'
import type { VisionModel } from '../inference/encoder/vision.js'
import { createTextCache } from '../text/text-cache.js'
import { cosine, meanOf, memoizePerVector, unitNorm } from '../text/vectors.js'

export interface EmbeddedText {
  text: string
  /** [d] float32, unit norm. */
  embedding: Float32Array
}

/** Compares the meanings of short texts in the text space of the CLIP pack. */
export interface TextSimilarity {
  /** One [d] float32 embedding of unit norm for each text, in order; cached by text. */
  embed(texts: readonly string[], call: InferenceCall): Promise<Float32Array[]>
  /**
   * Standard score of a cosine, compared with unrelated texts: 0 for unrelated texts, about 3 for paraphrases. Makes packs
   * comparable, whose raw cosines of unrelated texts differ widely.
   */
  standardize: (cosine: number) => number
  /**
   * Subtracts the mean embedding of unrelated texts and scales to unit norm. The mean is common to all short texts and
   * hides their differences.
   * Source: Mu and Viswanath, "All-but-the-Top", arXiv:1702.01417, the first step.
   */
  center: (embedding: Float32Array) => Float32Array
  /** As `standardize`, for cosines of centered embeddings. */
  standardizeCentered: (cosine: number) => number
}

/**
 * Unrelated short texts of the kinds that are compared: interests, lifestyles, sentences of bios, captions. They are
 * independent of the tag vocabulary, so that scores do not change with it.
 */
export const BACKGROUND_TEXTS: readonly string[] = [
  'rock climbing',
  'baking bread',
  'jazz',
  'stamp collecting',
  'football',
  'tax law',
  'gardening',
  'video games',
  'horse riding',
  'opera',
  'carpentry',
  'astronomy',
  'street food',
  'yoga',
  'politics',
  'knitting',
  'sailing',
  'poetry',
  'early riser',
  'night owl',
  'vegan',
  'city dweller',
  'retired',
  'pet owner',
  'career-focused',
  'religious',
  'student',
  'homebody',
  'single parent',
  'traveler',
  'quiet',
  'hard-working',
  'a lake at sunset',
  'a motorcycle',
  'a wedding',
  'a laptop on a desk',
  'a golden retriever',
  'a plate of pasta',
  'a snowy mountain',
  'a crowded concert',
  'a library',
  'I work nights at the hospital.',
  'Ask me about my chickens.',
  'My mother still does my laundry.',
  'Looking for someone kind.',
  'I moved here in March and know nobody.',
  'Terrible at small talk.',
  'I have opinions about cheese.',
  'Two kids, one dog, no free time.',
  'Training for my first triathlon.',
  'Every Sunday I call my grandmother.',
  'I fix old radios.',
  'My band plays weddings.',
  'I cannot swim.',
  'Saving up for a boat.',
  'I teach maths to teenagers.',
  'The best part of my day is the train ride home.',
  'Allergic to cats and mornings.',
  'I paint very small pictures of very large animals.',
]

/**
 * @param background - unrelated short texts; the distribution of their pairwise cosines standardizes all others
 */
export async function createTextSimilarity(
  vision: Pick<VisionModel, 'embedTexts' | 'embedCaptions' | 'revision'>,
  background: readonly string[],
  call: InferenceCall,
): Promise<TextSimilarity> {
  const cache = createTextCache<Float32Array>()
  const embed = async (texts: readonly string[], textCall: InferenceCall) => {
    const revision = vision.revision()
    const keyOf = (text: string) => `${revision}\n${text}`
    const found = new Map(texts.map((text) => [text, cache.get(keyOf(text))]))
    const missing = [...found]
      .filter(([, embedding]) => embedding === undefined)
      .map(([text]) => text)
    if (missing.length > 0) {
      const embeddings = await vision.embedTexts(missing, textCall)
      missing.forEach((text, i) => {
        // A copy: the embedding is a view of the worker's whole message, which the cache would keep in memory.
        const embedding = embeddings[i]!.slice()
        cache.set(keyOf(text), embedding)
        found.set(text, embedding)
      })
    }
    return texts.map((text) => found.get(text)!)
  }
  const unrelated = await vision.embedCaptions(background, call)
  const origin = meanOf(unrelated)
  const center = memoizePerVector((embedding) =>
    unitNorm(embedding.map((value, i) => value - origin[i]!)),
  )
  return {
    embed,
    standardize: createStandardizer(unrelated),
    center,
    standardizeCentered: createStandardizer(unrelated.map(center)),
  }
}

function createStandardizer(unrelated: readonly Float32Array[]): (cosine: number) => number {
  const values = unrelated.flatMap((left, i) =>
    unrelated.slice(i + 1).map((right) => cosine(left, right)),
  )
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  const deviation = Math.sqrt(variance)
  return (cosine) => (cosine - mean) / deviation
}
