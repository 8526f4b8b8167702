import type { LlamaContext, LlamaContextSequence } from 'node-llama-cpp'
import type { Sampling } from '../language.js'
import { DecodingTask, type DecodingJob, type DecodingOutcome } from './decoding-task.js'
import { chooseSequence, FRESH_TOKENS, type SequenceChoice } from './sequence-choice.js'
import { canCopySequences, copySequence } from './sequence-copy.js'

/** Sampling is among this many of the likeliest tokens: llama.cpp sorts a vocabulary in 2 to 5 ms, these in 0.1. */
const TOP_K = 100

interface Slot {
  sequence: LlamaContextSequence
  lastUsed: number
  task: DecodingTask | undefined
}

type Choice = Exclude<SequenceChoice, 'wait'>

/** Tokens of prompts that are evaluated in one round at most. */
export interface PromptTokens {
  perRound: number
  perSequence: number
}

export interface ParallelDecoderOptions {
  /** More a round evaluates prompts faster, fewer makes answers in progress wait less. */
  promptTokens: PromptTokens
  /** Evaluates a round of so many tokens by calling `evaluate`. */
  runRound: (tokens: number, evaluate: () => Promise<void>) => Promise<void>
  /** Called for each sampler that is about to be made. */
  onSampler: () => void
}

/**
 * Continues several prompts at once, each in a sequence of its own. All sequences advance in rounds: one token for
 * each that answers, and a share of a prompt for one that begins. Left alone, each sequence of node-llama-cpp asks
 * for its next token as soon as it has one, and most batches hold the tokens of one or two sequences.
 */
export class ParallelDecoder {
  readonly #options: ParallelDecoderOptions
  readonly #slots: Slot[]
  readonly #canCopy: boolean
  readonly #waiting: DecodingTask[] = []
  #isRunning = false
  #uses = 0

  constructor(context: LlamaContext, options: ParallelDecoderOptions) {
    this.#options = options
    this.#slots = Array.from({ length: context.totalSequences }, () => ({
      sequence: context.getSequence(),
      lastUsed: 0,
      task: undefined,
    }))
    this.#canCopy = this.#slots.every(({ sequence }) => canCopySequences(sequence))
  }

  /**
   * Samples tokens until the job takes no more.
   * @throws the abort reason, at once
   */
  run(job: DecodingJob): Promise<DecodingOutcome> {
    const task = new DecodingTask(job)
    this.#waiting.push(task)
    if (!this.#isRunning) void this.#runRounds()
    return task.outcome
  }

  async #runRounds(): Promise<void> {
    this.#isRunning = true
    for (;;) {
      await this.#seatWaiting()
      const busy = this.#slots.filter(({ task }) => task !== undefined)
      if (busy.length === 0 && this.#waiting.length === 0) break
      const shares = sharePrompts(busy, this.#options.promptTokens)
      // Sequences with no prompt left evaluate one token each.
      const tokens = [...shares.values()].reduce((sum, share) => sum + Math.max(1, share), 0)
      await this.#options.runRound(tokens, async () => {
        // What is asked for in one turn of the event loop becomes one batch, which llama.cpp computes as a whole only
        // where sequences come in order: four in disorder write 65 tokens a second, in order 130.
        await Promise.all(busy.map((slot) => this.#advance(slot, shares.get(slot) ?? 0)))
      })
    }
    this.#isRunning = false
  }

  async #seatWaiting(): Promise<void> {
    for (const task of this.#waiting.slice()) {
      const choice = task.isOver ? undefined : this.#choose(task)
      if (choice === 'wait') continue
      if (choice === undefined && !task.isOver) return
      this.#waiting.splice(this.#waiting.indexOf(task), 1)
      if (choice) await this.#seat(task, choice)
    }
  }

  #choose({ job }: DecodingTask): SequenceChoice | undefined {
    const views = this.#slots.map(({ sequence, task, lastUsed }) => ({
      tokens: task?.job.prompt ?? sequence.contextTokens,
      evaluated: sequence.nextTokenIndex,
      isBusy: task !== undefined,
      lastUsed,
    }))
    return chooseSequence(job.prompt, views, this.#canCopy)
  }

  async #seat(task: DecodingTask, { index, copyFrom }: Choice): Promise<void> {
    const slot = this.#slots[index]!
    const { sequence } = slot
    const { prompt } = task.job
    try {
      if (copyFrom) {
        const source = this.#slots[copyFrom.index]!.sequence
        await copySequence(source, sequence, prompt.slice(0, copyFrom.tokens))
      }
      await sequence.adaptStateToTokens(prompt.slice(0, -FRESH_TOKENS), false)
      task.cachedTokens = sequence.nextTokenIndex
      task.rest = prompt.slice(task.cachedTokens)
      slot.task = task
      slot.lastUsed = ++this.#uses
    } catch (error) {
      await this.#abandon(slot, task, error)
    }
  }

  async #advance(slot: Slot, share: number): Promise<void> {
    const { sequence, task } = slot
    if (!task) return
    try {
      if (task.isOver) return await this.#release(slot)
      if (share < task.rest.length) {
        if (share === 0) return
        this.#options.onSampler()
        return await sequence.evaluateWithoutGeneratingNewTokens(task.rest.splice(0, share))
      }
      task.sampled ??= this.#sample(sequence, task)
      const next = await task.sampled.next()
      if (task.isOver) return await this.#release(slot)
      if (!next.done && task.job.take(next.value.token, next.value.confidence)) return
      await this.#release(slot)
      task.finish()
    } catch (error) {
      await this.#abandon(slot, task, error)
    }
  }

  #sample(sequence: LlamaContextSequence, { rest, job }: DecodingTask) {
    this.#options.onSampler()
    return sequence.evaluateWithMetadata(
      rest.splice(0),
      { confidence: true },
      { ...samplingOptions(job.sampling), yieldEogToken: true },
    )
  }

  /** Frees a sequence; what is evaluated in it stays for prompts that begin alike. */
  async #release(slot: Slot): Promise<void> {
    const { task } = slot
    slot.task = undefined
    slot.lastUsed = ++this.#uses
    await task?.sampled?.return(undefined)
  }

  /** Frees a sequence whose content is uncertain after a failure. */
  async #abandon(slot: Slot, task: DecodingTask, error: unknown): Promise<void> {
    slot.task = undefined
    task.fail(error)
    // Where even this fails, the next use of the sequence does too and reports it.
    await slot.sequence.clearHistory().catch(() => {})
  }
}

/** How many tokens of its prompt each evaluates in a round. Short prompts do not wait for long ones. */
function sharePrompts(
  slots: readonly Slot[],
  { perRound, perSequence }: PromptTokens,
): Map<Slot, number> {
  const inOrder = slots
    .map((slot) => ({ slot, rest: slot.task?.rest.length ?? 0 }))
    .sort((left, right) => left.rest - right.rest || left.slot.lastUsed - right.slot.lastUsed)
  let budget = perRound
  return new Map(
    inOrder.map(({ slot, rest }) => {
      const share = shareOf(rest, Math.min(budget, perSequence))
      budget -= share
      return [slot, share]
    }),
  )
}

/** How much of a prompt is evaluated in a round; never so that a part of a single token remains. */
function shareOf(rest: number, budget: number): number {
  if (rest <= budget) return rest
  const share = Math.min(budget, rest - FRESH_TOKENS)
  return share < FRESH_TOKENS ? 0 : share
}

function samplingOptions({ temperature, minP, topP = 1, seed }: Sampling) {
  // The likeliest of one. Greedy sampling leaves all tokens in the choice, and to tell the share of its token
  // node-llama-cpp sorts them.
  if (temperature === 0) return { temperature: 1, topK: 1, seed }
  return { temperature, minP, topP, topK: TOP_K, seed }
}
