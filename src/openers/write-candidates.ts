import type { InferenceCall } from '../inference/call.js'
import type { LanguageModel } from '../inference/language/language.js'
import { measureGeneration, type MeasuredGeneration } from '../profile/measure-generation.js'
import type { Prompts } from '../inference/language/prompts.js'
import { oneLine } from '../text/one-line.js'
import { seedOf } from '../text/seed.js'
import { orderBeginnings, type Beginning } from './beginnings.js'
import { weightOfPattern } from './critic.js'
import { CLAUSE_ENDS, finishSentence, withoutQuotes } from './finish-sentence.js'
import type { OpenerFacts } from './opener-facts.js'
import { createRandom } from './random.js'
import type { Style, Tone } from './styles.js'

// Hand-written openers have up to 40 tokens.
const MAX_TOKENS = 64

/** What the candidates of all styles are written from. */
export interface CandidateTask {
  facts: OpenerFacts
  tone: Tone
  /** The same seed with the same task and model gives the same candidates. */
  seed: string
}

/** Which candidates of a style, from 0. */
export interface CandidateRange {
  from: number
  count: number
}

export interface WrittenCandidate extends MeasuredGeneration {
  text: string
  beginning: Beginning
}

/**
 * Writes candidates of one style at the same time. Each begins differently where the pack has beginnings for the
 * style; another pack's candidates differ by their seed alone.
 */
export type CandidateWriter = (style: Style, range: CandidateRange) => Promise<WrittenCandidate[]>

/** A writer that prepares a style when it is first asked for, however many rounds it writes. */
export function createCandidateWriter(
  { facts, tone, seed }: CandidateTask,
  { language, prompts, call }: { language: LanguageModel; prompts: Prompts; call: InferenceCall },
): CandidateWriter {
  const { critic, beginnings: patternsOf } = prompts.openerGuidance
  const prepared = new Map<Style, ReturnType<typeof prepare>>()

  function prepare(style: Style) {
    const patterns = patternsOf[style] ?? []
    const beginnings = orderBeginnings(patterns, facts, {
      random: createRandom([seed, style]),
      weightOf: (pattern) => weightOfPattern(critic, pattern),
    })
    const prompt = prompts.opener({
      recipient: { bio: facts.bio, photos: [...facts.photoElements], likes: [...facts.likes] },
      sender: { name: facts.senderName, likes: [...facts.senderLikes] },
      tone,
      style,
    })
    return { prompt, beginnings, isGuided: patterns.length > 0 }
  }

  return (style, { from, count }) => {
    const material = prepared.get(style) ?? prepare(style)
    prepared.set(style, material)
    const { prompt, beginnings, isGuided } = material

    async function writeOne(index: number): Promise<WrittenCandidate> {
      const beginning = beginnings[index % beginnings.length]!
      const measured = await measureGeneration(
        language,
        {
          ...prompt,
          ...(beginning.text === '' ? {} : { prefill: beginning.text }),
          maxTokens: MAX_TOKENS,
          sampling: { ...prompts.sampling, seed: seedOf([seed, style, index]) },
          stop: isGuided ? [...CLAUSE_ENDS] : ['\n'],
        },
        call,
      )
      const { text } = measured.generation
      const whole = isGuided ? finishSentence(text, beginning) : withoutQuotes(oneLine(text))
      return { ...measured, text: whole, beginning }
    }
    return Promise.all(Array.from({ length: count }, (_, i) => writeOne(from + i)))
  }
}
