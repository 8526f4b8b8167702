import { getLlama, LlamaLogLevel } from 'node-llama-cpp'
import { readConfig } from '../../dist/config/config.js'
import { openPack } from '../../dist/packs/open-pack.js'

/** @typedef {Awaited<ReturnType<typeof openPerplexityJudge>>} PerplexityJudge */

/**
 * How unexpected a text is.
 * @typedef {object} Surprise
 * @property {number} nats - minus the natural logarithm of its probability
 * @property {number} tokens - what that is spread over
 */

/** Longer than any opener that the service writes; of longer texts the beginning is judged. */
const CONTEXT_TOKENS = 512

/**
 * The model of a language pack, without the adapter of the pack, as a judge of how usual texts are.
 * @param {string} packName
 * @throws PackError when the pack is not there, or is no language pack
 */
export async function openPerplexityJudge(packName) {
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
    /** @returns {Promise<Surprise>} of a text that nothing precedes */
    async judge(/** @type {string} */ text) {
      const tokens = [...start, ...model.tokenize(text)].slice(0, CONTEXT_TOKENS - 1)
      const pairs = tokens.slice(1).map((next, index) => ({ token: tokens[index], next }))
      await sequence.clearHistory()
      const judged = await sequence.controlledEvaluate(
        pairs.map(({ token, next }) => [
          token,
          {
            generateNext: {
              logits: { filter: { tokens: [next], includeTop: 1 } },
              totalLogitWeight: true,
            },
          },
        ]),
      )
      const nats = pairs.map(({ next }, index) => natsOf(next, judged[index]?.next))
      return { nats: nats.reduce((sum, value) => sum + value, 0), tokens: nats.length }
    },
    close: () => llama.dispose(),
  }
}

/**
 * Perplexity of texts taken together, from 1: the number of equally likely tokens that would be as hard to guess.
 * Source: F. Jelinek et al., "Perplexity, a measure of the difficulty of speech recognition tasks", 1977.
 */
export function perplexityOf(/** @type {readonly Surprise[]} */ texts) {
  const sum = (/** @type {keyof Surprise} */ field) =>
    texts.reduce((total, text) => total + text[field], 0)
  return Math.exp(sum('nats') / sum('tokens'))
}

/**
 * @param {import('node-llama-cpp').Token} token
 * @param {import('node-llama-cpp').ControlledEvaluateIndexOutput['next'] | undefined} next
 */
function natsOf(token, next) {
  const { logits, totalLogitWeight } = next ?? {}
  if (!logits || totalLogitWeight === undefined) throw new Error('no logits')
  // The weight is relative to the largest logit, which node-llama-cpp leaves out when asked for by `includeMax`.
  const largest = Math.max(...logits.values())
  return Math.log(totalLogitWeight) + largest - (logits.get(token) ?? Number.NaN)
}
