import type { InferenceCall } from '../inference/call.js'
import { oneLine } from '../text/one-line.js'
import { takeEntries } from '../text/take-entries.js'
import type { EmbeddedText, TextSimilarity } from '../profile/text-similarity.js'
import { listSentences } from '../text/words.js'

const MAX_ENTRIES = 12
const MAX_SENTENCES = 8

/** A short text that a match compares. */
export interface Term extends EmbeddedText {
  /** Its embedding, centred: see `TextSimilarity.center`. */
  centered: Float32Array
}

/** One side of a match, as the signals see it. */
export interface Person {
  interests: readonly Term[]
  lifestyle: readonly Term[]
  /** Names of what was recognised in the photos. */
  photoTags: readonly Term[]
  /** Sentences of the bio. */
  sentences: readonly Term[]
  /** Embeddings of the photos, [d] float32 of unit norm each. */
  photos: readonly Float32Array[]
}

export interface PersonFacts {
  bio: string
  interests: readonly string[]
  lifestyle: readonly string[]
  photoTags: readonly string[]
  photos: readonly Float32Array[]
}

/** Embeds everything the signals compare of two people, in one call. */
export async function describePeople(
  facts: readonly [PersonFacts, PersonFacts],
  similarity: TextSimilarity,
  call: InferenceCall,
): Promise<[Person, Person]> {
  const lists = facts.map((person) => ({
    interests: listCompared(person.interests),
    lifestyle: listCompared(person.lifestyle),
    photoTags: listCompared(person.photoTags),
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
  const describe = (index: 0 | 1): Person => {
    const { interests, lifestyle, photoTags, sentences } = lists[index]!
    return {
      interests: terms(interests),
      lifestyle: terms(lifestyle),
      photoTags: terms(photoTags),
      sentences: terms(sentences),
      photos: facts[index].photos,
    }
  }
  return [describe(0), describe(1)]
}

/** The entries of a list that are compared, as they are: on one line, in lower case, the first twelve that pass. */
export function listCompared(
  entries: readonly string[],
  passes: (entry: string) => boolean = () => true,
): string[] {
  const tidy = (entry: string) => oneLine(entry).toLowerCase()
  return takeEntries(entries, { limit: MAX_ENTRIES, tidy, passes })
}
