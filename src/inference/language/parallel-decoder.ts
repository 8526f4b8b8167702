import type { LlamaContext, LlamaContextSequence } from 'node-llama-cpp'
import type { Sampling } from './language.js'
import { DecodingTask, type DecodingJob, type DecodingOutcome } from './decoding-task.js'
import { hasLoneToken, type RoundPart } from './lone-tokens.js'
import { sharePrompts, type PromptTokens } from './prompt-shares.js'
import { chooseSequence, type SequenceChoice } from './sequence-choice.js'
import { canCopySequences, copySequence } from './sequence-copy.js'
import { gapsWorthFilling, type SequenceState } from './sequence-gaps.js'

/** Sampling is among this many of the likeliest tokens: llama.cpp sorts a vocabulary in 2 to 5 ms, these in 0.1. */
const TOP_K = 100

export interface Round {
  /** Of all sequences together. */
  tokens: number
  /** On several threads one of its tokens gives another result than beside others. */
  hasLoneToken: boolean
}

interface Slot {
  sequence: LlamaContextSequence
  lastUsed: number
  task: DecodingTask | undefined
  /** Goes on with an answer that is complete, while that closes a gap between busy sequences. */
  overrun: DecodingTask['sampled']
}

type Choice = Exclude<SequenceChoice, 'wait'>

export interface ParallelDecoderOptions {
  /** More a round evaluates prompts faster, fewer makes answers in progress wait less. */
  promptTokens: PromptTokens
  /** Evaluates a round by calling `evaluate`. */
  runRound: (round: Round, evaluate: () => Promise<void>) => Promise<void>
  /** Called for each sampler that is about to be made. */
  onSampler: () => void
}

/**
 * Continues several prompts at once, each in a sequence of its own. All sequences advance in rounds: one token for
 * each that answers, and a share of a prompt for one that begins. Left alone, each sequence of node-llama-cpp asks
 * for its next token as soon as it has one, and most batches hold the tokens of one or two sequences.
 */
export class ParallelDecoder {
  /** Whether a token evaluated alone is known to give what it gives beside others. */
  trustsSingleTokens = false
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
      overrun: undefined,
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

  /**
   * Tokens at the end of a prompt that are evaluated even if they are known: the last, because the answer is sampled
   * after it, and one more where a token alone may give another result than beside others.
   */
  get #freshTokens(): number {
    return this.trustsSingleTokens ? 1 : 2
  }

  async #runRounds(): Promise<void> {
    this.#isRunning = true
    for (;;) {
      await this.#seatWaiting()
      await this.#endNeedlessOverruns()
      const busy = this.#slots.filter(({ task }) => task !== undefined)
      if (busy.length === 0 && this.#waiting.length === 0) break
      const shares = sharePrompts(busy, this.#options.promptTokens)
      const parts = this.#slots.map((slot) => partOf(slot, shares.get(slot)))
      const tokens = parts.reduce((sum, part) => sum + part.tokens, 0)
      await this.#options.runRound({ tokens, hasLoneToken: hasLoneToken(parts) }, async () => {
        // What is asked for in one turn of the event loop becomes one batch, which llama.cpp computes as a whole only
        // where sequences come in order: four in disorder write 65 tokens a second, in order 130.
        await Promise.all(this.#slots.map((slot) => this.#advance(slot, shares.get(slot) ?? 0)))
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
    return chooseSequence(job.prompt, views, {
      canCopy: this.#canCopy,
      waiting: this.#waiting.length,
      freshTokens: this.#freshTokens,
    })
  }

  async #seat(task: DecodingTask, { index, copyFrom }: Choice): Promise<void> {
    const slot = this.#slots[index]!
    const { sequence } = slot
    const { prompt } = task.job
    try {
      await this.#endOverrun(slot)
      if (copyFrom) {
        const source = this.#slots[copyFrom.index]!.sequence
        await copySequence(source, sequence, prompt.slice(0, copyFrom.tokens))
      }
      await sequence.adaptStateToTokens(prompt.slice(0, -this.#freshTokens), false)
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
        await slot.overrun?.next()
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

  /** Frees a sequence; what is evaluated in it stays for prompts that begin alike. */
  #release(slot: Slot): void {
    slot.overrun = slot.task?.sampled
    slot.task = undefined
    slot.lastUsed = ++this.#uses
  }

  /** Ends the overruns that close no gap. */
  async #endNeedlessOverruns(): Promise<void> {
    const kept = new Set(gapsWorthFilling(this.#slots.map(stateOf)))
    await Promise.all(
      this.#slots.filter((_, index) => !kept.has(index)).map((slot) => this.#endOverrun(slot)),
    )
  }

  async #endOverrun(slot: Slot): Promise<void> {
    const { overrun } = slot
    slot.overrun = undefined
    await overrun?.return(undefined)
  }

  /** Frees a sequence whose content is uncertain after a failure. */
  async #abandon(slot: Slot, task: DecodingTask | undefined, error: unknown): Promise<void> {
    slot.task = undefined
    slot.overrun = undefined
    task?.fail(error)
    // Where even this fails, the next use of the sequence does too and reports it.
    await slot.sequence.clearHistory().catch(() => {})
  }
}

function partOf({ sequence, task, overrun }: Slot, share = 0): RoundPart {
  // Sequences with no prompt left evaluate one token each; where a prompt is left and has no share, it waits.
  const isWaiting = task !== undefined && task.rest.length > 0 && share === 0
  const tokens = (task ?? overrun) && !isWaiting ? Math.max(1, share) : 0
  return { tokens, length: sequence.nextTokenIndex + tokens }
}

function stateOf({ sequence, task, overrun }: Slot): SequenceState {
  if (task) return 'busy'
  // node-llama-cpp forgets the beginning of a sequence rather than fill its last place.
  const hasRoom = sequence.nextTokenIndex < sequence.contextSize - 1
  return overrun && hasRoom ? 'ended' : 'idle'
}

function samplingOptions({ temperature, minP, topP = 1, seed }: Sampling) {
  // The likeliest of one. Greedy sampling leaves all tokens in the choice, and to tell the share of its token
  // node-llama-cpp sorts them.
  if (temperature === 0) return { temperature: 1, topK: 1, seed }
  return { temperature, minP, topP, topK: TOP_K, seed }
}
