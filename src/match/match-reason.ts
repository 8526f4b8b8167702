import type { InferenceCall } from '../inference/inference-call.js'
import { isModelUnavailable } from '../inference/model-unavailable.js'
import type { LanguageModel } from '../inference/language/language.js'
import type { GenerationCost } from '../profile/explanation-fields.js'
import { measureGeneration } from '../profile/measure-generation.js'
import type { MatchReasonVariables, Prompt, Prompts } from '../inference/language/prompts.js'
import { oneLine } from '../text/one-line.js'
import { seedOf } from '../text/seed.js'
import { createTextCache } from '../text/text-cache.js'
import { contentStems } from '../text/words.js'
import type { Category } from './categories.js'
import { composeReason, MAX_NAMED } from './compose-reason.js'
import { confidenceBand, type ConfidenceBand } from './confidence-band.js'
import type { PersonFacts } from './person.js'
import { isSafeSentence, listOtherNames } from './reason-rules.js'
import { choosePattern, chooseReason } from './reasons/choose-reason.js'
import type { ReasonLibrary } from './reasons/reason-library.js'
import type { Signal } from './signals/signal.js'

/** Chosen by hand: each further attempt delays a new match by a quarter of a second. */
const ATTEMPTS = 2
const MAX_TOKENS = 48
/** The longest reason of the training pairs has 113 characters. */
const MAX_CHARACTERS = 160

export interface ReasonTools {
  /** Whose reason it is: those written by hand name what both have, and differ between pairs. */
  people: readonly [PersonFacts, PersonFacts]
  language: LanguageModel
  /** @throws ServiceError `model_unavailable` until the language model is loaded */
  prompts: () => Prompts
  call: InferenceCall
  /** Called with every sentence that the model writes, after the checks. */
  onCandidate?: (candidate: ReasonCandidate) => void
}

export type ReasonCandidate = GenerationCost & { text: string; passed: boolean }

export interface MatchReason {
  text: string
  /**
   * `written`: written by hand; `model`: generated now; `cache`: generated earlier for the same evidence; `composed`: from a
   * template.
   */
  source: 'written' | 'model' | 'cache' | 'composed'
}

export interface ReasonWriter {
  /**
   * One sentence that names the signal's evidence and is safe to show to both people: one written by hand where there is one,
   * or else the language model's. Comes from a template while that is overloaded or unavailable.
   */
  write(signal: Signal, confidence: number, tools: ReasonTools): Promise<MatchReason>
}

/**
 * Writes reasons from the evidence alone. The model sees no bio, so a reason cannot reveal one person's words to the
 * other, instructions in a bio have no effect, and one reason serves every match with the same evidence.
 */
export function createReasonWriter(library: ReasonLibrary): ReasonWriter {
  // An undefined text means that every attempt failed the checks. The seeds are fixed, so another try would fail too.
  const cache = createTextCache<{ text: string | undefined }>()
  return {
    async write(signal, confidence, tools) {
      const band = confidenceBand(confidence)
      const choice = { signal, band, people: tools.people }
      const written = chooseReason(library, choice)
      if (written !== undefined) return { text: written, source: 'written' }
      const evidence = signal.evidence.slice(0, MAX_NAMED)
      const task = buildTask(signal.category, evidence, band)
      const composed: MatchReason = {
        text: choosePattern(library, choice) ?? composeReason(signal, band),
        source: 'composed',
      }
      if (task === undefined) return composed
      try {
        const prompts = tools.prompts()
        if (prompts.matchReason === undefined) return composed
        const key = JSON.stringify([prompts.revision, signal.category, task.band, evidence])
        const prompt = prompts.matchReason(task)
        const cached = cache.get(key)
        const { text } =
          cached ?? (await generateReason({ task, prompt, evidence }, prompts, tools))
        if (!cached) cache.set(key, { text })
        if (text === undefined) return composed
        return { text, source: cached ? 'cache' : 'model' }
      } catch (error) {
        // The match is scored by now, so answer with the template instead of failing the call.
        if (isModelUnavailable(error) && !tools.call.signal.aborted) return composed
        throw error
      }
    },
  }
}

/** Two invented profiles with only the evidence in common; undefined for categories whose template reads better. */
function buildTask(
  category: Category,
  evidence: readonly string[],
  band: ConfidenceBand,
): MatchReasonVariables | undefined {
  const [first] = evidence
  if (first === undefined) return undefined
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

interface ReasonTask {
  task: MatchReasonVariables
  prompt: Prompt
  evidence: readonly string[]
}

async function generateReason(
  { task, prompt, evidence }: ReasonTask,
  { sampling }: Prompts,
  { language, call, onCandidate }: ReasonTools,
): Promise<{ text: string | undefined }> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { generation, cost } = await measureGeneration(
      language,
      {
        ...prompt,
        maxTokens: MAX_TOKENS,
        sampling: {
          ...sampling,
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

/** Whether the text is one safe sentence about both people that names the evidence and no other names or numbers. */
function isGoodReason(text: string, evidence: readonly string[]): boolean {
  const stems = contentStems(text)
  const namesEvidence = evidence.some((term) =>
    [...contentStems(term)].some((stem) => stems.has(stem)),
  )
  return (
    namesEvidence &&
    /\byou\b|\byour\b/i.test(text) &&
    /\bboth\b|\btwo of you\b|\beach of you\b|\bshare\b/i.test(text) &&
    !/\bone of you\b|\bthe other\b/i.test(text) &&
    text.length <= MAX_CHARACTERS &&
    listOtherNames(text, evidence).length === 0 &&
    isSafeSentence(text)
  )
}
