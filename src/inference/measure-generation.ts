import { z } from 'zod'
import type { InferenceCall } from './call.js'
import type { Generation, GenerationRequest, LanguageModel } from './language.js'

/** What a generation took and how it ended, as explanations tell it. */
export const generationCostSchema = z.object({
  seed: z.int().describe('Seed of the sampling.'),
  finish_reason: z
    .enum(['stop', 'length'])
    .describe('`stop`: the model ended it; `length`: it ran out of tokens.'),
  prompt_tokens: z.int(),
  cached_tokens: z.int().describe('Prompt tokens that did not have to be evaluated.'),
  generated_tokens: z.int(),
  duration_ms: z.number().describe('From asking the language model to its answer.'),
})

export type GenerationCost = z.infer<typeof generationCostSchema>

export interface MeasuredGeneration {
  generation: Generation
  cost: GenerationCost
}

/** Generates as the model does, and says what that took. */
export async function measureGeneration(
  language: LanguageModel,
  request: GenerationRequest,
  call: InferenceCall,
): Promise<MeasuredGeneration> {
  const startedAt = performance.now()
  const generation = await language.generate(request, call)
  const durationMs = performance.now() - startedAt
  const cost = {
    seed: request.sampling.seed,
    finish_reason: generation.finishReason,
    prompt_tokens: generation.promptTokens,
    cached_tokens: generation.cachedTokens,
    generated_tokens: generation.generatedTokens,
    duration_ms: Math.round(durationMs * 10) / 10,
  }
  return { generation, cost }
}
