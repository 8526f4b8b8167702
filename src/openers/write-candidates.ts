import type { InferenceCall } from '../inference/inference-call.js'
import type { LanguageModel } from '../inference/language/language.js'
import { measureGeneration, type MeasuredGeneration } from '../profile/measure-generation.js'
import type { Prompts } from '../inference/language/prompts.js'
import { oneLine } from '../text/one-line.js'
import { seedOf } from '../text/seed.js'
import { orderBeginnings, type Beginning } from './beginnings.js'
import { CLAUSE_ENDS, finishSentence, withoutQuotes } from './finish-sentence.js'
import { listDetails } from './details.js'
import type { ExemplarSource } from './exemplars/exemplar-source.js'
import type { OpenerFacts } from './opener-facts.js'
import { createRandom } from './random.js'
import { patternWeight } from './reranker.js'
import type { Style, Tone } from './styles.js'

// Hand-written openers have up to 40 tokens.
const MAX_TOKENS = 64

/** The input of the candidates of all styles. */
export interface CandidateTask {
  facts: OpenerFacts
  tone: Tone
  /** The same seed with the same task and model gives the same candidates. */
  seed: string
}

/** The part of a pack's prompts that openers need. */
export type OpenerPrompts = Pick<
  Prompts,
  'opener' | 'openerGuidance' | 'sampling' | 'showsExamples'
>

export interface WriterParts {
  language: LanguageModel
  prompts: OpenerPrompts
  exemplars: Pick<ExemplarSource, 'examples'>
  call: InferenceCall
}

/** Numbers of candidates of a style. */
export interface CandidateRange {
  /** The first number, from 0. */
  from: number
  count: number
}

export interface WrittenCandidate extends MeasuredGeneration {
  text: string
  beginning: Beginning
  /** Texts that the prompt showed. */
  examples: readonly string[]
}

/**
 * Writes candidates of one style at the same time. They take turns with the beginnings that the pack has for the
 * style, and with the details that they pick up; otherwise they differ by their seed alone.
 */
export type CandidateWriter = (style: Style, range: CandidateRange) => Promise<WrittenCandidate[]>

/** Creates a writer that prepares prompt and beginnings of each style once, on first use. */
export function createCandidateWriter(
  { facts, tone, seed }: CandidateTask,
  { language, prompts, exemplars, call }: WriterParts,
): CandidateWriter {
  const { reranker, beginnings: patternsOf } = prompts.openerGuidance
  const prepared = new Map<Style, ReturnType<typeof prepare>>()

  function prepare(style: Style) {
    const patterns = patternsOf[style] ?? []
    const beginnings = orderBeginnings(patterns, facts, {
      random: createRandom([seed, style]),
      weightOf: (pattern) => patternWeight(reranker, pattern),
    })
    const examples = prompts.showsExamples ? exemplars.examples(style) : []
    const details = listDetails(style, facts, createRandom([seed, 'details', style]))
    const promptOf = (index: number) =>
      prompts.opener({
        recipient: { bio: facts.bio, photos: [...facts.photoElements], likes: [...facts.likes] },
        sender: { name: facts.senderName, likes: [...facts.senderLikes] },
        tone,
        style,
        examples,
        detail: details[index % details.length] ?? '',
      })
    const shown = examples.map(({ text }) => text)
    return { promptOf, beginnings, shown, isGuided: patterns.length > 0 }
  }

  return (style, { from, count }) => {
    const material = prepared.get(style) ?? prepare(style)
    prepared.set(style, material)
    const { promptOf, beginnings, shown, isGuided } = material

    async function writeOne(index: number): Promise<WrittenCandidate> {
      const beginning = beginnings[index % beginnings.length]!
      const measured = await measureGeneration(
        language,
        {
          ...promptOf(index),
          ...(beginning.text === '' ? {} : { prefill: beginning.text }),
          maxTokens: MAX_TOKENS,
          sampling: { ...prompts.sampling, seed: seedOf([seed, style, index]) },
          stop: isGuided ? [...CLAUSE_ENDS] : ['\n'],
        },
        call,
      )
      const generated = measured.generation.text
      const text = isGuided
        ? finishSentence(generated, beginning)
        : withoutQuotes(oneLine(generated))
      return { ...measured, text, beginning, examples: shown }
    }
    return Promise.all(Array.from({ length: count }, (_, i) => writeOne(from + i)))
  }
}
