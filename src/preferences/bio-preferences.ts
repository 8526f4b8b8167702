import { createHash } from 'node:crypto'
import type { InferenceCall } from '../inference/call.js'
import type { LanguageModel } from '../inference/language.js'
import { measureGeneration } from '../inference/measure-generation.js'
import type { Prompts } from '../inference/prompts.js'
import { assessText } from '../safety/text-safety.js'
import { clip, oneLine } from '../text/one-line.js'
import { cosine, type TextSimilarity } from '../text/text-similarity.js'
import { contentStems, listSentences } from '../text/words.js'
import type { JudgedBio } from './explain-preferences.js'
import type { Evidence } from './preferences-contract.js'

const MAX_TOKENS = 72
const MAX_ENTRIES = 8
const MAX_ENTRY_CHARACTERS = 40
const PROMPT_BIO_CHARACTERS = 800
/** Standard deviations above unrelated texts from which the bio or a photo is taken to support an entry. */
export const MIN_SUPPORT = 1.6
/** At this many the confidence is full. */
const FULL_SUPPORT = 5

export interface BioTools {
  language: LanguageModel
  prompts: Prompts
  similarity: TextSimilarity
  call: InferenceCall
  /** Sees what the model answered and which entries of it were kept. */
  onJudged?: ((bio: JudgedBio) => void) | undefined
}

/**
 * What the language model reads in a bio, each entry kept only when the bio supports it: by its words, or by being
 * closer in meaning to one of its sentences than unrelated texts are.
 */
export async function readBioPreferences(
  { bio, photoTags }: { bio: string; photoTags: readonly string[] },
  { language, prompts, similarity, call, onJudged }: BioTools,
): Promise<Evidence[]> {
  const prompt = prompts.preferences({
    bio: clip(oneLine(bio), PROMPT_BIO_CHARACTERS),
    photos: [...photoTags],
  })
  // The same profile always gives the same preferences: no sampling, and a seed of its own content.
  const seed = createHash('sha256').update(bio).digest().readUInt32BE() >>> 1
  const { generation, cost } = await measureGeneration(
    language,
    {
      ...prompt,
      maxTokens: MAX_TOKENS,
      sampling: { ...prompts.sampling, temperature: 0, seed },
      stop: ['\n'],
    },
    call,
  )
  const entries = parsePreferences(generation.text, generation.finishReason === 'length')
  const sentences = listSentences(clip(bio, PROMPT_BIO_CHARACTERS))
  const [entryEmbeddings, sentenceEmbeddings] = await Promise.all([
    similarity.embed(
      entries.map((entry) => entry.value),
      call,
    ),
    similarity.embed(sentences, call),
  ])
  const bioStems = contentStems(bio)
  const judged = entries.map((entry, i) => {
    const stems = [...contentStems(entry.value)]
    const isNamed = stems.length > 0 && stems.every((stem) => bioStems.has(stem))
    const support = Math.max(
      ...sentenceEmbeddings.map((sentence) =>
        similarity.standardize(cosine(entryEmbeddings[i]!, sentence)),
      ),
    )
    const kept = isNamed || support >= MIN_SUPPORT
    return { ...entry, named: isNamed, support: round(support), kept }
  })
  onJudged?.({ answer: generation.text, ...cost, entries: judged })
  return judged
    .filter(({ kept }) => kept)
    .map(({ kind, value, named, support }) => {
      const confidence = named ? 0.95 : Math.min(0.9, support / FULL_SUPPORT)
      return { kind, value, source: 'bio', confidence: round(confidence) }
    })
}

/** Reads `interests: x, y; lifestyle: u, v`; whatever is not of that form gives no entry. */
export function parsePreferences(
  text: string,
  isCutOff = false,
): { kind: Evidence['kind']; value: string }[] {
  const list = (name: string) => {
    const match = new RegExp(`${name}\\s*:([^;:\\n]*)`, 'i').exec(text)
    if (!match) return []
    const entries = match[1]!.split(',').map((entry) =>
      oneLine(entry)
        .toLowerCase()
        .replace(/[.\s]+$/, ''),
    )
    // The last entry of an answer that ran out of tokens may be half a word.
    if (isCutOff && match.index + match[0].length === text.length) entries.pop()
    return [...new Set(entries)].filter(isEntry).slice(0, MAX_ENTRIES)
  }
  return [
    ...list('interests').map((value) => ({ kind: 'interest' as const, value })),
    ...list('lifestyle').map((value) => ({ kind: 'lifestyle' as const, value })),
  ]
}

function isEntry(value: string): boolean {
  return (
    value.length > 1 &&
    value.length <= MAX_ENTRY_CHARACTERS &&
    /^[\p{L}\p{N}][\p{L}\p{M}\p{N} '’&/-]*$/u.test(value) &&
    assessText(value, 'generated').safe
  )
}

export function round(value: number): number {
  return Math.round(value * 100) / 100
}
