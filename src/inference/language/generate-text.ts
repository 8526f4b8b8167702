import type { LlamaModel, Token } from 'node-llama-cpp'
import type { Generation, GenerationRequest } from './language.js'
import { WorkerInputError } from '../workers/worker-runtime.js'
import { AnswerText } from './answer-text.js'
import type { ChatFormat } from './chat-format.js'
import type { ParallelDecoder } from './parallel-decoder.js'

/** A loaded model with everything that a generation needs. */
export interface TextGenerator {
  model: LlamaModel
  format: ChatFormat
  decoder: ParallelDecoder
  /** Tokens of one call, prompt and answer. */
  contextSize: number
}

/**
 * Generates the next assistant turn.
 * @throws WorkerInputError when prompt and answer do not fit in the context
 * @throws the abort reason
 */
export async function generateText(
  { model, format, decoder, contextSize }: TextGenerator,
  { turns, prefill, maxTokens, sampling, stop, tenant }: GenerationRequest,
  signal: AbortSignal,
): Promise<Generation> {
  const prompt = format.tokenize(turns, prefill)
  // node-llama-cpp drops the beginning of a sequence rather than fill its last cell.
  if (prompt.length + maxTokens > contextSize - 1) {
    throw new WorkerInputError(
      `The texts are too long for the language model, which reads at most ${contextSize} tokens. Send shorter texts.`,
    )
  }
  const answer = new AnswerText(model, prompt, { maxTokens, stop })
  const { cachedTokens } = await decoder.run({
    prompt,
    sampling,
    tenant,
    take: (token, probability) => answer.take(token, probability),
    signal,
  })
  return { ...answer.result, promptTokens: prompt.length, cachedTokens }
}

/** Tokens of a batch that llama.cpp computes as it does larger ones. */
const MIN_WARM_UP = 2

/** Evaluates the common prefix of all calls in every sequence, which also reads the weights from disk. */
export async function warmUp(
  { format, decoder }: Pick<TextGenerator, 'format' | 'decoder'>,
  {
    system,
    opening = '',
    sequences,
  }: { system?: string | undefined; opening?: string | undefined; sequences: number },
): Promise<void> {
  const turns = system === undefined ? [] : [{ role: 'system' as const, text: system }]
  // Where the opening ends, the tokens depend on what follows.
  const [prompt, other] = ['1', 'a\n'].map((rest) =>
    format.tokenize([...turns, { role: 'user', text: opening + rest }]),
  ) as [Token[], Token[]]
  const fixed = Math.max(
    MIN_WARM_UP,
    prompt.findIndex((token, i) => token !== other[i]),
  )
  const sampling = { temperature: 0, minP: 0, seed: 0 }
  const run = (length: number) => {
    // One signal each: Node warns of a leak at more than ten listeners.
    const { signal } = new AbortController()
    return decoder.run({ prompt: prompt.slice(0, length), sampling, take: () => false, signal })
  }
  // A first short round measures the speed of one thread.
  await run(MIN_WARM_UP)
  await Promise.all(Array.from({ length: sequences }, () => run(fixed)))
}
