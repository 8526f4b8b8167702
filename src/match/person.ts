import type { InferenceCall } from '../inference/inference-call.js'
import { oneLine } from '../text/one-line.js'
import { takeEntries } from '../text/take-entries.js'
import type { EmbeddedText, TextSimilarity } from '../profile/text-similarity.js'
import { listSentences } from '../text/words.js'

const MAX_ENTRIES = 12
const MAX_SENTENCES = 8

/** A short text of a profile. */
export interface Term extends EmbeddedText {
  /** See `TextSimilarity.center`. */
  centered: Float32Array
}

/** One side of a match, embedded for the signals. */
export interface Person {
  interests: readonly Term[]
  lifestyle: readonly Term[]
  photoTags: readonly Term[]
  /** First sentences of the bio. */
  sentences: readonly Term[]
  /** One embedding for each photo, [d] float32, unit norm. */
  photos: readonly Float32Array[]
}

/** One side of a match, as text. */
export interface PersonFacts {
  bio: string
  interests: readonly string[]
  lifestyle: readonly string[]
  photoTags: readonly string[]
  /** One embedding for each photo, [d] float32, unit norm. */
  photos: readonly Float32Array[]
}

/** Embeds everything that the signals compare, in one call. */
export async function embedPeople(
  facts: readonly [PersonFacts, PersonFacts],
  similarity: TextSimilarity,
  call: InferenceCall,
): Promise<[Person, Person]> {
  const lists = facts.map((person) => ({
    interests: normalizeEntries(person.interests),
    lifestyle: normalizeEntries(person.lifestyle),
    photoTags: normalizeEntries(person.photoTags),
    sentences: listSentences(oneLine(person.bio)).slice(0, MAX_SENTENCES),
  }))
  const texts = [...new Set(lists.flatMap((list) => Object.values(list).flat()))]
  const embeddings = await similarity.embed(texts, call)
  const termOf = new Map(
    texts.map((text, i): [string, Term] => {
      const embedding = embeddings[i]!
      return [text, { text, embedding, centered: similarity.center(embedding) }]
    }),
  )
  const terms = (list: readonly string[]) => list.map((text) => termOf.get(text)!)
  const embed = (index: 0 | 1): Person => {
    const { interests, lifestyle, photoTags, sentences } = lists[index]!
    return {
      interests: terms(interests),
      lifestyle: terms(lifestyle),
      photoTags: terms(photoTags),
      sentences: terms(sentences),
      photos: facts[index].photos,
    }
  }
  return [embed(0), embed(1)]
}

/** The first twelve different entries that pass, each on one line and in lower case. */
export function normalizeEntries(
  entries: readonly string[],
  passes: (entry: string) => boolean = () => true,
): string[] {
  const tidy = (entry: string) => oneLine(entry).toLowerCase()
  return takeEntries(entries, { limit: MAX_ENTRIES, tidy, passes })
}
