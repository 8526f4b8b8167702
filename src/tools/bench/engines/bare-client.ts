import { z } from 'zod'
import type { Sampling } from '../../../inference/language/language.js'
import { TOP_K } from '../../../inference/language/engines/engine-profile.js'

/** What a client of llama-server sends that needs nothing but the text. */
export interface BareRequest {
  prompt: readonly number[]
  maxTokens: number
  sampling: Sampling
  stop: readonly string[]
}

const answer = z.object({
  content: z.string(),
  tokens_predicted: z.int(),
  completion_probabilities: z
    .array(
      z.object({
        token: z.string(),
        top_logprobs: z.array(z.object({ token: z.string(), logprob: z.number() })),
      }),
    )
    .default([]),
})

export type BareAnswer = z.infer<typeof answer>

/**
 * Sends a completion to llama-server without anything of the service around it.
 * @param alternatives - the most probable tokens to report at each position; 0: none
 */
export async function completeBarely(
  url: string,
  { prompt, maxTokens, sampling, stop }: BareRequest,
  alternatives = 0,
): Promise<BareAnswer> {
  const { temperature, minP, topP = 1, seed } = sampling
  const response = await fetch(`${url}/completion`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      prompt,
      n_predict: maxTokens,
      ...(temperature === 0
        ? { temperature: 1, top_k: 1, top_p: 1, min_p: 0 }
        : { temperature, min_p: minP, top_p: topP, top_k: TOP_K }),
      seed,
      samplers: ['top_k', 'top_p', 'min_p', 'temperature'],
      stop,
      n_probs: alternatives,
      cache_prompt: true,
    }),
  })
  if (!response.ok) throw new Error(`llama-server answered ${response.status}.`)
  return answer.parse(await response.json())
}
