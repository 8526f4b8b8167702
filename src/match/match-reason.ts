import { ServiceError } from '../core/service-error.js'
import type { InferenceCall } from '../inference/call.js'
import type { LanguageModel } from '../inference/language/language.js'
import type { GenerationCost } from '../profile/explanation-fields.js'
import { measureGeneration } from '../profile/measure-generation.js'
import type { MatchReasonVariables, Prompt, Prompts } from '../inference/language/prompts.js'
import { commentsOnLooks } from '../safety/appearance.js'
import { assessText } from '../safety/text-safety.js'
import { oneLine } from '../text/one-line.js'
import { seedOf } from '../text/seed.js'
import { createTextCache } from '../text/text-cache.js'
import { contentStems, listSentences } from '../text/words.js'
import type { Category } from './categories.js'
import { composeReason, NAMED } from './compose-reason.js'
import { confidenceBand } from './confidence-band.js'
import type { Signal } from './signals/signal.js'

// Chosen by hand: a third attempt makes a new match wait for another quarter of a second. The longest reason of the
// training pairs has 113 characters.
const ATTEMPTS = 2
const MAX_TOKENS = 48
const MAX_CHARACTERS = 160

export interface ReasonTools {
  language: LanguageModel
  prompts: Prompts
  call: InferenceCall
  /** Sees every sentence the model wrote as soon as it is judged. */
  onCandidate?: (candidate: JudgedReason) => void
}

export type JudgedReason = GenerationCost & { text: string; passed: boolean }

export interface WrittenReason {
  text: string
  /** Written now, remembered from the same evidence, or put together without a model. */
  source: 'model' | 'cache' | 'composed'
}

export interface ReasonWriter {
  /**
   * One sentence that names the signal's evidence and may be shown to both people; put together without the language
   * model while that is overloaded or unavailable.
   */
  write(signal: Signal, confidence: number, tools: ReasonTools): Promise<WrittenReason>
}

/**
 * Writes reasons from the evidence alone. The model never sees a bio here, so a reason cannot tell one person what
 * only the other wrote, an instruction in a bio cannot reach it, and reasons for the same evidence are written once.
 */
export function createReasonWriter(): ReasonWriter {
  // Without a text the model has no good sentence for the evidence: asked again with the same seeds it has none either.
  const cache = createTextCache<{ text: string | undefined }>()
  return {
    async write(signal, confidence, tools) {
      const evidence = signal.evidence.slice(0, NAMED)
      const task = promptFor(signal.category, evidence, confidence)
      const composed: WrittenReason = {
        text: composeReason(signal, confidenceBand(confidence)),
        source: 'composed',
      }
      const ask = tools.prompts.matchReason
      if (task === undefined || ask === undefined) return composed
      const key = JSON.stringify([tools.prompts.revision, signal.category, task.band, evidence])
      const known = cache.get(key)
      try {
        const { text } = known ?? (await tryModel({ task, prompt: ask(task) }, evidence, tools))
        if (!known) cache.set(key, { text })
        if (text === undefined) return composed
        return { text, source: known ? 'cache' : 'model' }
      } catch (error) {
        // By then the match is scored, and a plain sentence says why as well.
        if (isOutOfReach(error) && !tools.call.signal.aborted) return composed
        throw error
      }
    },
  }
}

function isOutOfReach(error: unknown): boolean {
  return (
    error instanceof ServiceError &&
    (error.code === 'overloaded' || error.code === 'model_unavailable')
  )
}

/** The profile pair that has just this in common; undefined where a composed sentence says it better. */
function promptFor(
  category: Category,
  evidence: readonly string[],
  confidence: number,
): MatchReasonVariables | undefined {
  const [first] = evidence
  if (first === undefined) return undefined
  const band = confidenceBand(confidence)
  const side = { photos: [], likes: [], lifestyle: [] }
  switch (category) {
    case 'shared_hobbies': {
      const person = { ...side, bio: `I love ${first}.`, likes: [...evidence] }
      return { a: person, b: person, band, category }
    }
    case 'aesthetic_alignment': {
      const person = { ...side, bio: `I like ${first}.`, photos: [...evidence] }
      return { a: person, b: person, band, category }
    }
    case 'lifestyle_fit':
    case 'similar_goals':
    case 'complementary_traits':
      return undefined
  }
}

async function tryModel(
  { task, prompt }: { task: MatchReasonVariables; prompt: Prompt },
  evidence: readonly string[],
  { language, prompts, call, onCandidate }: ReasonTools,
): Promise<{ text: string | undefined }> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { generation, cost } = await measureGeneration(
      language,
      {
        ...prompt,
        maxTokens: MAX_TOKENS,
        sampling: {
          ...prompts.sampling,
          seed: seedOf([task.category, ...evidence, attempt]),
        },
        stop: ['\n'],
      },
      call,
    )
    const text = oneLine(generation.text)
    const passed = generation.finishReason === 'stop' && isGoodReason(text, evidence)
    onCandidate?.({ text, passed, ...cost })
    if (passed) return { text }
  }
  return { text: undefined }
}

/** One plain statement about both that names the evidence and nothing else that could be wrong. */
function isGoodReason(text: string, evidence: readonly string[]): boolean {
  const stems = contentStems(text)
  const named = evidence.some((term) => [...contentStems(term)].some((stem) => stems.has(stem)))
  const evidenceText = evidence.join(' ').toLowerCase()
  const names = (text.slice(1).match(/\b\p{Lu}[\p{L}]+/gu) ?? []).filter(
    (word) => !evidenceText.includes(word.toLowerCase()),
  )
  return (
    named &&
    /\byou\b|\byour\b/i.test(text) &&
    /\bboth\b|\btwo of you\b|\beach of you\b|\bshare\b/i.test(text) &&
    !/\bone of you\b|\bthe other\b/i.test(text) &&
    text.length <= MAX_CHARACTERS &&
    /^\p{Lu}.*\.$/u.test(text) &&
    listSentences(text).length === 1 &&
    names.length === 0 &&
    !/\d/.test(text) &&
    assessText(text, 'generated').safe &&
    !commentsOnLooks(text)
  )
}
