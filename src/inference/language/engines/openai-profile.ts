import { z } from 'zod'
import { EngineError } from '../../engines/engine-error.js'
import type { Sampling } from '../language.js'
import { TOP_K, withoutBrokenEnd, type EngineProfile } from './engine-profile.js'

const modelList = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      /** Of an adapter at vLLM: the base model. */
      parent: z.string().nullish(),
      max_model_len: z.int().positive().nullish(),
    }),
  ),
})

const tokenList = z.object({ tokens: z.array(z.int().nonnegative()) })

const completionAnswer = z.object({
  model: z.string(),
  choices: z
    .array(
      z.object({
        text: z.string(),
        finish_reason: z.enum(['stop', 'length']),
        logprobs: z.object({ token_logprobs: z.array(z.number()).min(1) }),
      }),
    )
    .length(1),
  usage: z
    .object({
      prompt_tokens_details: z.object({ cached_tokens: z.int().nonnegative().nullish() }).nullish(),
    })
    .nullish(),
})

/**
 * vLLM. Checked against its source at commit 002032ee2b18: `CompletionRequest` and `CompletionResponse` in
 * `vllm/entrypoints/openai/completion/protocol.py` (prompt as token ids, `seed`, `stop`, `stop_token_ids`, `top_k`, `min_p`,
 * `logprobs`, `cache_salt` of 1 to 1,024 characters), `TokenizeCompletionRequest` in `vllm/entrypoints/serve/tokenize/protocol.py`.
 * Log probabilities are those of the sampling distribution only with `--logprobs-mode processed_logprobs`.
 */
export const VLLM: EngineProfile = createProfile('vllm')

/**
 * SGLang. Checked against its source at commit 004c82e07d87: `CompletionRequest` in
 * `python/sglang/srt/entrypoints/openai/protocol.py` (the same fields, `cache_salt` included), `_build_sampling_params` in
 * `serving_completions.py` (`seed` becomes `sampling_seed`), `serving_tokenize.py`. It ignores fields that it does not know. Seeds reproduce texts only with
 * `--enable-deterministic-inference`; log probabilities are those after temperature, before top-k, top-p and min-p.
 */
export const SGLANG: EngineProfile = createProfile('sglang')

function createProfile(name: 'vllm' | 'sglang'): EngineProfile {
  return {
    name,
    identify: async (client, expected, signal) => {
      const { data } = await client.json('/v1/models', modelList, { signal })
      const wanted = expected.name ?? ''
      // SGLang addresses an adapter as `model:adapter` and lists both parts.
      const [base = '', adapter] = name === 'sglang' ? splitAdapter(wanted) : [wanted]
      const found = data.find(({ id }) => id === wanted) ?? data.find(({ id }) => id === base)
      const hasAdapter = adapter === undefined || data.some(({ id }) => id === adapter)
      if (!found || !hasAdapter) {
        const names = data.map(({ id }) => id.slice(0, 100)).slice(0, 5)
        throw new EngineError(
          'mismatch',
          `it does not serve LANGUAGE_MODEL, but ${names.join(', ') || 'nothing'}`,
        )
      }
      const parent = data.find(({ id }) => id === found.parent)
      return { contextSize: found.max_model_len ?? parent?.max_model_len ?? undefined }
    },
    tokenize: async (client, text, { model, signal }) => {
      const body = { model, prompt: text, add_special_tokens: false }
      return (await client.json('/tokenize', tokenList, { body, signal })).tokens
    },
    complete: async (client, request, { model, signal }) => {
      const { prompt, maxTokens, sampling, stop, endTokens, cacheSalt } = request
      const body = {
        model,
        prompt,
        max_tokens: maxTokens,
        ...samplingFields(sampling),
        stop,
        stop_token_ids: endTokens,
        logprobs: 1,
        ...(cacheSalt !== undefined && { cache_salt: cacheSalt }),
      }
      const answer = await client.json('/v1/completions', completionAnswer, { body, signal })
      const choice = answer.choices[0]!
      return {
        text: withoutBrokenEnd(choice.text),
        finishReason: choice.finish_reason,
        cachedTokens: answer.usage?.prompt_tokens_details?.cached_tokens ?? 0,
        logprobs: choice.logprobs.token_logprobs,
      }
    },
  }
}

function splitAdapter(name: string): [string, string | undefined] {
  const at = name.lastIndexOf(':')
  return at < 0 ? [name, undefined] : [name.slice(0, at), name.slice(at + 1)]
}

/**
 * Both engines apply the temperature T before min-p, llama.cpp after it. Probabilities relative to the highest become their
 * (1 / T)-th power, and so does the threshold here: the same tokens remain. For top-p there is no such conversion.
 */
function samplingFields({ temperature, minP, topP = 1, seed }: Sampling) {
  if (temperature === 0) return { temperature: 0, seed }
  return { temperature, min_p: minP ** (1 / temperature), top_p: topP, top_k: TOP_K, seed }
}
