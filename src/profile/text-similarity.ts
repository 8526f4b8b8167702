import type { InferenceCall } from '../inference/call.js'
import type { VisionModel } from '../inference/encoder/vision.js'
import { createTextCache } from '../text/text-cache.js'
import { cosine, meanOf, oncePerVector, unitNorm } from '../text/vectors.js'

/** A short text as it is compared. */
export interface EmbeddedText {
  text: string
  /** [d] float32, unit norm. */
  embedding: Float32Array
}

/** Compares short texts by meaning, in the text space of the CLIP pack. */
export interface TextSimilarity {
  /** One unit-norm embedding for each text, in order; repeated texts are computed once. */
  embed(texts: readonly string[], call: InferenceCall): Promise<Float32Array[]>
  /**
   * Standard deviations by which two texts are more alike than unrelated ones: 0 for strangers, about 3 for
   * paraphrases. Standardising makes packs comparable, whose raw cosines of unrelated texts lie far apart.
   */
  standardize: (cosine: number) => number
  /**
   * How an embedding differs from those of unrelated texts, of unit norm. What all short texts have in common says
   * nothing about two people, and hides what does.
   * Source: Mu and Viswanath, "All-but-the-Top", arXiv:1702.01417, of which this is the first step.
   */
  center: (embedding: Float32Array) => Float32Array
  /** As `standardize`, for centred embeddings. */
  standardizeCentered: (cosine: number) => number
}

/**
 * Unrelated short texts of the kinds that are compared: interests, ways of living, sentences of bios, captions. What is
 * compared with them in mind does not depend on the tag vocabulary.
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
 * @param background - unrelated short texts of the kind that will be compared; their pairwise cosines are the yardstick
 */
export async function createTextSimilarity(
  vision: VisionModel,
  background: readonly string[],
  call: InferenceCall,
): Promise<TextSimilarity> {
  const cache = createTextCache<Float32Array>()
  const embed = async (texts: readonly string[], within: InferenceCall) => {
    const revision = vision.revision()
    const keyOf = (text: string) => `${revision}\n${text}`
    const found = new Map(texts.map((text) => [text, cache.get(keyOf(text))]))
    const missing = [...found]
      .filter(([, embedding]) => embedding === undefined)
      .map(([text]) => text)
    if (missing.length > 0) {
      const embeddings = await vision.embedTexts(missing, within)
      missing.forEach((text, i) => {
        // It arrives as a view of the whole message it came in, which the cache would hold in memory.
        const embedding = embeddings[i]!.slice()
        cache.set(keyOf(text), embedding)
        found.set(text, embedding)
      })
    }
    return texts.map((text) => found.get(text)!)
  }
  const unrelated = await vision.embedTexts(background, call)
  const origin = meanOf(unrelated)
  const center = oncePerVector((embedding) =>
    unitNorm(embedding.map((value, i) => value - origin[i]!)),
  )
  return {
    embed,
    standardize: standardizer(unrelated),
    center,
    standardizeCentered: standardizer(unrelated.map(center)),
  }
}

function standardizer(unrelated: readonly Float32Array[]): (cosine: number) => number {
  const values = unrelated.flatMap((left, i) =>
    unrelated.slice(i + 1).map((right) => cosine(left, right)),
  )
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  const deviation = Math.sqrt(variance)
  return (cosine) => (cosine - mean) / deviation
}
