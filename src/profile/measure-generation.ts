import type { InferenceCall } from '../inference/inference-call.js'
import type { GenerationCost } from './explanation-fields.js'
import type {
  Generation,
  GenerationRequest,
  LanguageModel,
} from '../inference/language/language.js'

export interface MeasuredGeneration {
  generation: Generation
  cost: GenerationCost
}

/** Generates, and measures what that costs. */
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
