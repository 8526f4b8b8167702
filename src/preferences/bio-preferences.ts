import type { InferenceCall } from '../inference/inference-call.js'
import type { LanguageModel } from '../inference/language/language.js'
import type { GenerationCost } from '../profile/explanation-fields.js'
import { measureGeneration } from '../profile/measure-generation.js'
import type { Prompts } from '../inference/language/prompts.js'
import { assessText } from '../safety/text-safety.js'
import { oneLine } from '../text/one-line.js'
import { truncate } from '../text/truncate.js'
import { isPlainPhrase } from '../text/plain-phrase.js'
import { seedOf } from '../text/seed.js'
import type { Evidence } from './preferences-contract.js'
import { ANALYZED_BIO } from './profile-terms.js'

const MAX_TOKENS = 72
const MAX_ENTRIES = 8
const MAX_ENTRY_CHARACTERS = 40

export interface ReadingTools {
  language: LanguageModel
  prompts: Prompts
  call: InferenceCall
}

/** An entry that the language model read in a bio; it may be invented. */
export interface ReadEntry {
  kind: Evidence['kind']
  value: string
}

export interface ReadBio extends GenerationCost {
  /** Output of the model. */
  answer: string
  entries: ReadEntry[]
}

/** What takes the place of a reading while the language model is unavailable. */
export const UNREAD_BIO: ReadBio = {
  answer: '',
  entries: [],
  seed: 0,
  finish_reason: 'stop',
  prompt_tokens: 0,
  cached_tokens: 0,
  generated_tokens: 0,
  duration_ms: 0,
}

/** Extracts preferences from a bio and the tags of the photos with the language model. */
export async function readBio(
  { bio, photoTags }: { bio: string; photoTags: readonly string[] },
  { language, prompts, call }: ReadingTools,
): Promise<ReadBio> {
  const prompt = prompts.preferences({
    bio: truncate(oneLine(bio), ANALYZED_BIO),
    photos: [...photoTags],
  })
  // The same profile always gives the same preferences: greedy decoding, and a seed from the bio.
  const seed = seedOf([bio])
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
  return { answer: generation.text, ...cost, entries }
}

/** Parses `interests: x, y; lifestyle: u, v`; ignores everything else. */
function parsePreferences(text: string, isCutOff = false): ReadEntry[] {
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
  return isPlainPhrase(value, MAX_ENTRY_CHARACTERS) && assessText(value, 'generated').safe
}
