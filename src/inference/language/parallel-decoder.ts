import type { LlamaContext, LlamaContextSequence } from 'node-llama-cpp'
import type { Sampling } from './language.js'
import { DecodingTask, type DecodingJob, type DecodingOutcome } from './decoding-task.js'
import { hasSingleTokenBatch, type RoundPart } from './single-token-batch.js'
import { sharePrompts, type PromptTokens } from './prompt-shares.js'
import { chooseSequence, type SequenceChoice } from './sequence-choice.js'
import { canCopySequences, copySequence } from './sequence-copy.js'
import { gapsWorthFilling, type SequenceState } from './sequence-gaps.js'

/** Sampling considers this many of the most probable tokens: llama.cpp sorts the vocabulary in 2 to 5 ms, these in 0.1. */
const TOP_K = 100

/**
 * Tokens at the end of a cached prompt that are evaluated again: the last one, after which the answer is sampled, and one more,
 * since llama.cpp may compute a batch of one token with other kernels than a larger one.
 */
const FRESH_TOKENS = 2

export interface Round {
  /** Of all sequences. */
  tokens: number
  /** See `hasSingleTokenBatch`. */
  hasSingleTokenBatch: boolean
}

interface Slot {
  sequence: LlamaContextSequence
  lastUsed: number
  task: DecodingTask | undefined
  /** Continues a finished answer with tokens that nobody reads, while that closes a gap between busy sequences. */
  paddingDecode: DecodingTask['sampled']
}

type Choice = Exclude<SequenceChoice, 'wait'>

export interface ParallelDecoderOptions {
  /** Higher limits evaluate prompts faster; lower ones delay answers in progress less. */
  promptTokens: PromptTokens
  /** Evaluates a round by calling `evaluate`. */
  runRound: (round: Round, evaluate: () => Promise<void>) => Promise<void>
  /** Called before each sampler is created. */
  onSampler: () => void
}

/**
 * Decodes several prompts at once, one sequence each. All sequences advance in rounds: one token for each answer in progress, and
 * a part of each new prompt. Without rounds each sequence of node-llama-cpp requests its next token as soon as it has one, and
 * most batches hold the tokens of one or two sequences.
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
      paddingDecode: undefined,
    }))
    this.#canCopy = this.#slots.every(({ sequence }) => canCopySequences(sequence))
  }

  /**
   * Samples tokens until the job accepts no more.
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
      await this.#assignWaiting()
      await this.#endNeedlessPadding()
      const busy = this.#slots.filter(({ task }) => task !== undefined)
      if (busy.length === 0 && this.#waiting.length === 0) break
      const shares = sharePrompts(busy, this.#options.promptTokens)
      const parts = this.#slots.map((slot) => partOf(slot, shares.get(slot)))
      const tokens = parts.reduce((sum, part) => sum + part.tokens, 0)
      await this.#options.runRound(
        { tokens, hasSingleTokenBatch: hasSingleTokenBatch(parts) },
        async () => {
          // Requests of one turn of the event loop become one batch. llama.cpp computes it as a whole only when sequences come in
          // order: four out of order write 65 tokens a second, in order 130.
          await Promise.all(this.#slots.map((slot) => this.#advance(slot, shares.get(slot) ?? 0)))
        },
      )
    }
    this.#isRunning = false
  }

  async #assignWaiting(): Promise<void> {
    for (const task of this.#waiting.slice()) {
      const choice = task.isOver ? undefined : this.#choose(task)
      if (choice === 'wait') continue
      if (choice === undefined && !task.isOver) return
      this.#waiting.splice(this.#waiting.indexOf(task), 1)
      if (choice) await this.#assign(task, choice)
    }
  }

  #choose({ job }: DecodingTask): SequenceChoice | undefined {
    const views = this.#slots.map(({ sequence, task, lastUsed }) => ({
      tokens: task?.job.prompt ?? sequence.contextTokens,
      evaluated: sequence.nextTokenIndex,
      isBusy: task !== undefined,
      lastUsed,
    }))
    return chooseSequence(job.prompt, views, {
      canCopy: this.#canCopy,
      waiting: this.#waiting.length,
      freshTokens: FRESH_TOKENS,
    })
  }

  async #assign(task: DecodingTask, { index, copyFrom }: Choice): Promise<void> {
    const slot = this.#slots[index]!
    const { sequence } = slot
    const { prompt } = task.job
    try {
      await this.#endPadding(slot)
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
    try {
      if (!task) {
        await slot.paddingDecode?.next()
        return
      }
      if (task.isOver) return this.#release(slot)
      if (share < task.rest.length) {
        if (share === 0) return
        this.#options.onSampler()
        return await sequence.evaluateWithoutGeneratingNewTokens(task.rest.splice(0, share))
      }
      task.sampled ??= this.#sample(sequence, task)
      const next = await task.sampled.next()
      if (task.isOver) return this.#release(slot)
      if (!next.done && task.job.take(next.value.token, next.value.confidence)) return
      this.#release(slot)
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

  /** Frees a sequence; its evaluated tokens stay for prompts with the same prefix. */
  #release(slot: Slot): void {
    slot.paddingDecode = slot.task?.sampled
    slot.task = undefined
    slot.lastUsed = ++this.#uses
  }

  /** Ends padding that closes no gap. */
  async #endNeedlessPadding(): Promise<void> {
    const kept = new Set(gapsWorthFilling(this.#slots.map(stateOf)))
    await Promise.all(
      this.#slots.filter((_, index) => !kept.has(index)).map((slot) => this.#endPadding(slot)),
    )
  }

  async #endPadding(slot: Slot): Promise<void> {
    const { paddingDecode } = slot
    slot.paddingDecode = undefined
    await paddingDecode?.return(undefined)
  }

  /** Frees a sequence after a failure and clears it, since its state is unknown. */
  async #abandon(slot: Slot, task: DecodingTask | undefined, error: unknown): Promise<void> {
    slot.task = undefined
    slot.paddingDecode = undefined
    task?.fail(error)
    // If this fails too, the next use of the sequence fails and reports it.
    await slot.sequence.clearHistory().catch(() => {})
  }
}

function partOf({ sequence, task, paddingDecode }: Slot, share = 0): RoundPart {
  // A sequence without prompt tokens left evaluates one token; one with prompt tokens and no share waits.
  const isWaiting = task !== undefined && task.rest.length > 0 && share === 0
  const tokens = (task ?? paddingDecode) && !isWaiting ? Math.max(1, share) : 0
  return { tokens, length: sequence.nextTokenIndex + tokens }
}

function stateOf({ sequence, task, paddingDecode }: Slot): SequenceState {
  if (task) return 'busy'
  // node-llama-cpp drops the beginning of a sequence rather than fill its last cell.
  const hasRoom = sequence.nextTokenIndex < sequence.contextSize - 1
  return paddingDecode && hasRoom ? 'ended' : 'idle'
}

function samplingOptions({ temperature, minP, topP = 1, seed }: Sampling) {
  // Top-1 in place of greedy sampling, for which node-llama-cpp sorts the vocabulary to report the token's probability.
  if (temperature === 0) return { temperature: 1, topK: 1, seed }
  return { temperature, minP, topP, topK: TOP_K, seed }
}
