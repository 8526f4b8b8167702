import {
  getLlama,
  LlamaLogLevel,
  type ControlledEvaluateIndexOutput,
  type ControlledEvaluateInputItem,
  type Token,
} from 'node-llama-cpp'
import { readConfig } from '../../config/config.js'
import { openPack } from '../../packs/open-pack.js'

/** Surprisal of a text. */
export interface Surprisal {
  /** Minus the natural logarithm of its probability. */
  nats: number
  /** Number of tokens that were predicted. */
  tokens: number
}

export interface PerplexityModel {
  /** Surprisal of a text without anything before it; of a long text, of its first 512 tokens. */
  measure(text: string): Promise<Surprisal>
  close(): Promise<void>
}

/** More than any opener has. */
const CONTEXT_TOKENS = 512

/**
 * Opens the model of a language pack, without the adapter of the pack, to measure how unusual texts are.
 * @throws PackError if the pack is missing or is not a language pack
 */
export async function openPerplexityModel(packName: string): Promise<PerplexityModel> {
  const config = readConfig()
  const { llm } = await openPack(config, packName, 'llm')
  const threads = config.inference.languageThreads
  const llama = await getLlama({
    gpu: false,
    maxThreads: threads,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logLevel: LlamaLogLevel.error,
  })
  const model = await llama.loadModel({ modelPath: llm.model })
  const context = await model.createContext({ contextSize: CONTEXT_TOKENS, threads })
  const sequence = context.getSequence()
  const start = model.tokens.bos === null ? [] : [model.tokens.bos]

  return {
    async measure(text) {
      const tokens = [...start, ...model.tokenize(text)].slice(0, CONTEXT_TOKENS - 1)
      const targets = tokens.slice(1)
      await sequence.clearHistory()
      const outputs = await sequence.controlledEvaluate(
        targets.map((target, i) => evaluationOf(tokens[i]!, target)),
      )
      const nats = targets.map((target, i) => surprisalOf(target, outputs[i]?.next))
      return { nats: nats.reduce((sum, value) => sum + value, 0), tokens: nats.length }
    },
    close: () => llama.dispose(),
  }
}

/**
 * Perplexity of texts taken together, from 1: the number of equally likely tokens that would be as hard to predict.
 * Source: F. Jelinek et al., "Perplexity, a measure of the difficulty of speech recognition tasks", 1977.
 */
export function perplexityOf(texts: readonly Surprisal[]): number {
  const sum = (field: keyof Surprisal) => texts.reduce((total, text) => total + text[field], 0)
  return Math.exp(sum('nats') / sum('tokens'))
}

/** Evaluates a token and returns the logit of the token that follows it in the text. */
function evaluationOf(token: Token, next: Token): ControlledEvaluateInputItem {
  const logits = { filter: { tokens: [next], includeTop: 1 } }
  return [token, { generateNext: { logits, totalLogitWeight: true } }]
}

function surprisalOf(token: Token, next: ControlledEvaluateIndexOutput['next'] | undefined) {
  const { logits, totalLogitWeight } = next ?? {}
  if (!logits || totalLogitWeight === undefined) throw new Error('The model returned no logits.')
  // The weight is relative to the largest logit, which node-llama-cpp leaves out when asked for by `includeMax`.
  const largest = Math.max(...logits.values())
  return Math.log(totalLogitWeight) + largest - (logits.get(token) ?? Number.NaN)
}
