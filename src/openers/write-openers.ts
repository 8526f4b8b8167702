import { createHash } from 'node:crypto'
import type { InferenceCall } from '../inference/call.js'
import type { LanguageModel } from '../inference/language.js'
import { measureGeneration, type MeasuredGeneration } from '../inference/measure-generation.js'
import type { Prompts } from '../inference/prompts.js'
import { ServiceError } from '../errors.js'
import { oneLine } from '../text/one-line.js'
import { roundTo } from '../text/round-to.js'
import { checkOpener, groundingScore, type OpenerFacts, type Rejection } from './check-opener.js'
import type { JudgedCandidate } from './explain-openers.js'
import type { Opener } from './openers-contract.js'
import { listPossibleStyles, type Style, type Tone } from './styles.js'

/** Candidates that pass before the best of them is chosen for a style. */
const CANDIDATES_PER_STYLE = 2
/** Attempts at one style before another takes its place. */
const ATTEMPTS_PER_STYLE = 6
// Hand-written openers have up to 40 tokens.
const MAX_TOKENS = 64

export interface WritingTask {
  facts: OpenerFacts
  tone: Tone
  count: number
  /** The same seed with the same task and model gives the same openers. */
  seed: string
}

export interface WritingTools {
  language: LanguageModel
  prompts: Prompts
  call: InferenceCall
  onOpener(opener: Opener, index: number): void
  /** Sees every candidate as soon as it is judged. */
  onCandidate(candidate: Candidate): void
}

export type Candidate = JudgedCandidate & { style: Style; outcome: 'passed' | Rejection }

/**
 * Writes `count` openers, each in a style of its own as far as the material carries, and hands over each one as soon
 * as it is chosen. Nothing is handed over that fails a check: another seed is tried, then another style.
 * @throws ServiceError `model_unavailable` when the model writes nothing that passes
 */
export async function writeOpeners(task: WritingTask, tools: WritingTools): Promise<Opener[]> {
  const styles = listPossibleStyles(task.tone, {
    hasPhotoElements: task.facts.photoElements.length > 0,
    hasCommonGround: task.facts.commonGround.length > 0,
  })
  const openers: Opener[] = []
  // The second pass uses a style again: two good openers of one style are worth more than a missing one.
  for (const [pass, style] of [
    ...styles.map((s) => [0, s] as const),
    ...styles.map((s) => [1, s] as const),
  ]) {
    if (openers.length === task.count) break
    const text = await writeOpener(task, tools, {
      style,
      pass,
      earlier: openers.map((opener) => opener.text),
    })
    if (text === undefined) continue
    const opener = { text, style, length: [...text].length }
    openers.push(opener)
    tools.onOpener(opener, openers.length - 1)
  }
  if (openers.length === 0) {
    throw new ServiceError(
      'model_unavailable',
      'The language model wrote nothing fit to send for this profile. Retry, or send a bio with more detail.',
    )
  }
  return openers
}

interface Slot {
  style: Style
  pass: number
  earlier: readonly string[]
}

async function writeOpener(
  task: WritingTask,
  tools: WritingTools,
  slot: Slot,
): Promise<string | undefined> {
  const passed: { text: string; score: number }[] = []
  for (let attempt = 0; attempt < ATTEMPTS_PER_STYLE; attempt++) {
    const { generation, cost } = await writeCandidate(task, tools, { ...slot, attempt })
    const text = tidy(generation.text)
    const rejection =
      generation.finishReason === 'length'
        ? 'cut_off'
        : checkOpener(text, { ...slot, facts: task.facts })
    const score = groundingScore(text, task.facts)
    tools.onCandidate({
      style: slot.style,
      text,
      outcome: rejection ?? 'passed',
      scores: { grounding: roundTo(score, 3) },
      ...cost,
    })
    if (rejection === undefined) passed.push({ text, score })
    if (passed.length === CANDIDATES_PER_STYLE) break
  }
  return passed.sort((left, right) => right.score - left.score)[0]?.text
}

async function writeCandidate(
  task: WritingTask,
  { language, prompts, call }: WritingTools,
  slot: Slot & { attempt: number },
): Promise<MeasuredGeneration> {
  const { facts, tone, seed } = task
  const prompt = prompts.opener({
    recipient: { bio: facts.bio, photos: [...facts.photoElements], likes: [...facts.likes] },
    sender: { name: facts.senderName, likes: [...facts.senderLikes] },
    tone,
    style: slot.style,
  })
  return measureGeneration(
    language,
    {
      ...prompt,
      maxTokens: MAX_TOKENS,
      sampling: { ...prompts.sampling, seed: seedOf([seed, slot.style, slot.pass, slot.attempt]) },
      stop: ['\n'],
    },
    call,
  )
}

/** One line without the quotation marks some models put around a message. */
function tidy(text: string): string {
  const line = oneLine(text)
  return /^["“].*["”]$/u.test(line) ? line.slice(1, -1).trim() : line
}

/** 31 bits of a hash: llama.cpp takes unsigned 32-bit seeds and reserves the highest. */
function seedOf(parts: readonly (string | number)[]): number {
  return createHash('sha256').update(parts.join('\n')).digest().readUInt32BE() >>> 1
}
