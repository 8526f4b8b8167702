import type { LlamaContext } from 'node-llama-cpp'
import type { DecodingJob } from '../../../src/inference/language/decoding-task.js'
import { ParallelDecoder } from '../../../src/inference/language/parallel-decoder.js'

/** Records the batches that llama.cpp would compute. */
class FakeContext {
  readonly batches: { sequences: number; tokens: number }[] = []
  /** Indices of the sequences in each batch. */
  readonly orders: number[][] = []
  readonly sequences: FakeSequence[] = []
  readonly totalSequences: number
  #queue: { sequence: FakeSequence; tokens: number; evaluated: () => void }[] = []

  constructor(totalSequences: number) {
    this.totalSequences = totalSequences
  }

  getSequence(): FakeSequence {
    const sequence = new FakeSequence(this)
    this.sequences.push(sequence)
    return sequence
  }

  /** Requests of one turn of the event loop form a batch, as in node-llama-cpp. */
  evaluate(sequence: FakeSequence, tokens: number): Promise<void> {
    if (this.#queue.length === 0) setImmediate(() => this.#dispatch())
    return new Promise((evaluated) => this.#queue.push({ sequence, tokens, evaluated }))
  }

  #dispatch(): void {
    const queue = this.#queue
    this.#queue = []
    const tokens = queue.reduce((sum, entry) => sum + entry.tokens, 0)
    this.batches.push({ sequences: queue.length, tokens })
    this.orders.push(queue.map(({ sequence }) => this.sequences.indexOf(sequence)))
    for (const { evaluated } of queue) evaluated()
  }
}

/** Answers with 1, 2, 3 and so on, each with probability 1. */
class FakeSequence {
  contextTokens: number[] = []
  contextSize = 2_048
  needsCheckpoints = false
  failure: Error | undefined
  readonly #context: FakeContext

  constructor(context: FakeContext) {
    this.#context = context
  }

  get nextTokenIndex(): number {
    return this.contextTokens.length
  }

  async adaptStateToTokens(tokens: number[]): Promise<void> {
    const different = this.contextTokens.findIndex((token, i) => token !== tokens[i])
    if (different >= 0) this.contextTokens.length = different
  }

  async clearHistory(): Promise<void> {
    this.contextTokens = []
  }

  async evaluateWithoutGeneratingNewTokens(tokens: number[]): Promise<void> {
    await this.#context.evaluate(this, tokens.length)
    this.contextTokens.push(...tokens)
  }

  async *evaluateWithMetadata(
    tokens: number[],
  ): AsyncGenerator<{ token: number; confidence: number }, void> {
    let next = tokens
    for (let answer = 1; ; answer++) {
      await this.evaluateWithoutGeneratingNewTokens(next)
      if (this.failure) throw this.failure
      yield { token: answer, confidence: 1 }
      next = [answer]
    }
  }

  async _copyStateFromOtherSequence(other: FakeSequence, tokens: number): Promise<boolean> {
    this.contextTokens = other.contextTokens.slice(0, tokens)
    return true
  }
}

const NO_SAMPLING = { temperature: 0, minP: 0, seed: 0 }

function promptOf(name: number, length: number): number[] {
  return Array.from({ length }, (_, i) => name * 1_000 + i)
}

const THIRTY = { perRound: 30, perSharedRound: 30, perSequence: 30 }

function setUp({
  sequences = 3,
  promptTokens = { perRound: 128, perSharedRound: 128, perSequence: 128 },
} = {}) {
  const context = new FakeContext(sequences)
  const rounds: number[] = []
  const singleTokenBatches: boolean[] = []
  let samplers = 0
  const decoder = new ParallelDecoder(context as unknown as LlamaContext, {
    promptTokens,
    onSampler: () => (samplers += 1),
    runRound: ({ tokens, hasSingleTokenBatch }, evaluate) => {
      rounds.push(tokens)
      singleTokenBatches.push(hasSingleTokenBatch)
      return evaluate()
    },
  })
  /** Runs a prompt until its answer has `length` tokens. */
  async function run(
    prompt: number[],
    length: number,
    signal = new AbortController().signal,
    tenant?: string,
  ) {
    const answer: number[] = []
    const take = (token: number) => answer.push(token) < length
    const job = { prompt, take, signal, tenant, sampling: NO_SAMPLING } as unknown as DecodingJob
    return { ...(await decoder.run(job)), answer }
  }
  return { context, decoder, rounds, singleTokenBatches, run, samplers: () => samplers }
}

describe('ParallelDecoder', () => {
  it('advances all sequences together by one token per batch', async () => {
    const { context, rounds, run } = setUp()
    const answers = await Promise.all([1, 2, 3].map((name) => run(promptOf(name, 20), 5)))

    expect(answers.map(({ answer }) => answer)).toEqual(Array(3).fill([1, 2, 3, 4, 5]))
    // The first prompt is being evaluated when the others arrive.
    expect(context.batches).toEqual([
      { sequences: 1, tokens: 20 },
      { sequences: 3, tokens: 41 },
      ...Array(3).fill({ sequences: 3, tokens: 3 }),
      { sequences: 2, tokens: 2 },
    ])
    expect(rounds).toEqual(context.batches.map(({ tokens }) => tokens))
  })

  it('passes the sequences of a batch in order and without gaps, whatever ran before', async () => {
    const { context, run } = setUp({ sequences: 5 })
    for (const lengths of [[4], [2, 9, 5, 3], [8], [3, 8, 2]]) {
      await Promise.all(lengths.map((length, i) => run(promptOf(i, 10 + length), length)))
      context.orders.push([])
    }
    const starts = context.orders.filter((_, i) => i === 0 || context.orders[i - 1]?.length === 0)

    for (const order of context.orders) {
      expect(order).toEqual(order.toSorted((left, right) => left - right))
    }
    const whole = context.orders.filter((order) => order.length === 4)
    expect(whole.length).toBeGreaterThan(0)
    for (const order of [...starts, ...whole]) {
      expect(order.at(-1)! - order[0]! + 1).toBe(order.length)
    }
  })

  it('pads a finished answer between busy sequences until one of them ends', async () => {
    const { context, rounds, run } = setUp({ sequences: 5 })
    // The first prompt is being evaluated when the others arrive.
    const lengths = [7, 6, 3, 6, 9]
    const answers = await Promise.all(lengths.map((length, i) => run(promptOf(i, 10), length)))

    expect(answers.map(({ answer }) => answer.length)).toEqual(lengths)
    expect(context.orders.slice(1).map((order) => order.join(''))).toEqual([
      ...Array(6).fill('01234'),
      ...Array(3).fill('4'),
    ])
    expect(rounds).toEqual(context.batches.map(({ tokens }) => tokens))
  })

  it('assigns a padded sequence to the next prompt', async () => {
    const { context, run } = setUp({ sequences: 5 })
    const first = [10, 9, 3, 9, 9].map((length, i) => run(promptOf(i, 10), length))
    await first[2]
    const next = await run([...promptOf(2, 10), 1, 2, 77, 78], 2)
    await Promise.all(first)

    // The prefix ends with the answer that was read; padding tokens are not reused.
    expect(next).toMatchObject({ answer: [1, 2], cachedTokens: 12 })
    expect(context.orders.at(-1)).toEqual([0, 1, 2, 3, 4])
  })

  it('clears a sequence whose padding fails, and no other', async () => {
    const { context, run } = setUp({ sequences: 5 })
    const all = [9, 9, 3, 9, 9].map((length, i) => run(promptOf(i, 10), length))
    await all[2]
    context.sequences[2]!.failure = new Error('no memory')
    const answers = await Promise.all(all)

    expect(answers.map(({ answer }) => answer.length)).toEqual([9, 9, 3, 9, 9])
    expect(context.sequences[2]!.contextTokens).toEqual([])
  })

  it('adds a new prompt to the answers in progress', async () => {
    const { context, run } = setUp({ promptTokens: THIRTY })
    await Promise.all([run(promptOf(1, 10), 8), run(promptOf(2, 70), 2)])

    expect(context.batches.slice(0, 5)).toEqual([
      { sequences: 1, tokens: 10 },
      { sequences: 2, tokens: 31 },
      { sequences: 2, tokens: 31 },
      { sequences: 2, tokens: 11 },
      { sequences: 2, tokens: 2 },
    ])
  })

  it('evaluates short prompts before the rest of long ones', async () => {
    const { context, run } = setUp({ promptTokens: THIRTY })
    const ended: string[] = []
    await Promise.all([
      run(promptOf(1, 300), 1).then(() => ended.push('long')),
      run(promptOf(2, 30), 1).then(() => ended.push('short')),
    ])
    expect(ended).toEqual(['short', 'long'])
    expect(context.batches[0]).toEqual({ sequences: 1, tokens: 30 })
  })

  it('limits the prompt tokens of a round, in total and per sequence', async () => {
    const { context, run } = setUp({
      promptTokens: { perRound: 60, perSharedRound: 60, perSequence: 30 },
    })
    await Promise.all([1, 2, 3].map((name) => run(promptOf(name, 70), 1)))

    // The first prompt is being evaluated when the others arrive.
    expect(context.batches[0]).toEqual({ sequences: 1, tokens: 30 })
    expect(context.batches[1]).toEqual({ sequences: 2, tokens: 60 })
  })

  it.each([31, 32, 33, 61, 91])(
    'never evaluates a single token of a prompt of %i tokens',
    async (length) => {
      const { context, run } = setUp({ promptTokens: THIRTY })
      await run(promptOf(1, length), 1)

      expect(context.batches.map(({ tokens }) => tokens)).not.toContain(1)
      expect(context.sequences.some(({ nextTokenIndex }) => nextTokenIndex === length)).toBe(true)
    },
  )

  it('evaluates two tokens of a cached prompt again', async () => {
    const { context, run } = setUp()
    await run(promptOf(1, 100), 1)
    const { cachedTokens } = await run(promptOf(1, 100), 1)

    expect(context.batches.at(-1)).toEqual({ sequences: 1, tokens: 2 })
    expect(cachedTokens).toBe(98)
  })

  it('reports a batch of one token of a sequence of more than 256 tokens', async () => {
    const { singleTokenBatches, run } = setUp({
      promptTokens: { perRound: 300, perSharedRound: 300, perSequence: 300 },
    })
    await run(promptOf(1, 254), 5)
    // The prompt, then tokens at positions 255 to 258.
    expect(singleTokenBatches).toEqual([false, false, false, true, true])

    singleTokenBatches.length = 0
    await Promise.all([run(promptOf(2, 254), 5), run(promptOf(3, 10), 9)])
    expect(singleTokenBatches.slice(0, 6)).not.toContain(true)
  })

  it('evaluates the common prefix of simultaneous prompts once', async () => {
    const { run } = setUp()
    const start = promptOf(1, 100)
    const outcomes = await Promise.all(
      [2, 3].map((name) => run([...start, ...promptOf(name, 9)], 3)),
    )

    expect(outcomes.map(({ cachedTokens }) => cachedTokens)).toEqual([0, 100])
    for (const { answer } of outcomes) expect(answer).toEqual([1, 2, 3])
  })

  it('queues prompts beyond its sequences', async () => {
    const { context, run } = setUp({ sequences: 2 })
    const answers = await Promise.all([1, 2, 3, 4, 5].map((name) => run(promptOf(name, 10), 3)))

    expect(answers.map(({ answer }) => answer.length)).toEqual([3, 3, 3, 3, 3])
    expect(Math.max(...context.batches.map(({ sequences }) => sequences))).toBe(2)
  })

  it('rejects an aborted job at once and frees its sequence', async () => {
    const { run } = setUp({ sequences: 1 })
    const controller = new AbortController()
    const aborted = run(promptOf(1, 50), Infinity, controller.signal)
    const waiting = run(promptOf(2, 50), Infinity, controller.signal)
    const next = run(promptOf(3, 10), 2)
    setImmediate(() => controller.abort(new Error('enough')))

    await expect(aborted).rejects.toThrow('enough')
    await expect(waiting).rejects.toThrow('enough')
    expect((await next).answer).toEqual([1, 2])
  })

  it('refuses a job that is already aborted', async () => {
    const { context, run } = setUp()
    await expect(run(promptOf(1, 50), 1, AbortSignal.abort(new Error('late')))).rejects.toThrow(
      'late',
    )
    expect(context.batches).toEqual([])
  })

  it('fails only the job whose sequence fails, and reuses the sequence', async () => {
    const { context, run } = setUp({ sequences: 2 })
    context.sequences[0]!.failure = new Error('no memory')
    const [failed, served] = await Promise.allSettled([
      run(promptOf(1, 10), 3),
      run(promptOf(2, 10), 3),
    ])
    context.sequences[0]!.failure = undefined
    const again = await Promise.all([run(promptOf(1, 10), 3), run(promptOf(3, 10), 3)])

    expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'no memory' } })
    expect(served).toMatchObject({ status: 'fulfilled', value: { answer: [1, 2, 3] } })
    expect(again.map(({ answer }) => answer)).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ])
    expect(again[0]?.cachedTokens).toBe(0)
  })

  it('evaluates long prompts in smaller parts while another tenant shares the round', async () => {
    const promptTokens = { perRound: 100, perSharedRound: 20, perSequence: 100 }
    const { rounds, run } = setUp({ promptTokens })
    const never = new AbortController().signal
    await Promise.all([
      run(promptOf(1, 10), 8, never, 'one'),
      run(promptOf(2, 200), 1, never, 'two'),
    ])
    const shared = rounds.slice(1, 8)
    expect(Math.max(...shared)).toBeLessThanOrEqual(21)
    // Alone again, the rest of the long prompt is evaluated in large parts.
    expect(Math.max(...rounds.slice(8))).toBeGreaterThan(21)
  })

  it('reports each sampler that node-llama-cpp creates, for parts of prompts and for answers', async () => {
    const { run, samplers } = setUp({ promptTokens: THIRTY })
    await run(promptOf(1, 70), 5)
    expect(samplers()).toBe(3)
  })

  it('fails a job whose take function throws', async () => {
    const { context, run } = setUp()
    const prompt = promptOf(1, 10)
    const decoder = new ParallelDecoder(context as unknown as LlamaContext, {
      promptTokens: THIRTY,
      runRound: (_, evaluate) => evaluate(),
      onSampler: () => {},
    })
    const take = () => {
      throw new Error('not a token')
    }
    const job = { prompt, take, signal: new AbortController().signal, sampling: NO_SAMPLING }
    await expect(decoder.run(job as unknown as DecodingJob)).rejects.toThrow('not a token')
    expect((await run(prompt, 1)).answer).toEqual([1])
  })
})
