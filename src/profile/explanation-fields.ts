import { z } from 'zod'

/** Description of the field `explain`. */
export const EXPLAIN =
  'How the answer came about; only with a test key and `X-Service-Explain: true`.'

const modelSchema = z.object({
  packs: z.array(z.string()).describe('Names of the packs.'),
  revision: z
    .string()
    .describe('Changes with any file of the packs, and for the language model with its prompts.'),
})

/** The models that computed an answer. */
export const modelsInUseSchema = z.object({ vision: modelSchema, language: modelSchema })

/** Cost and finish reason of one generation. */
export const generationCostSchema = z.object({
  seed: z.int().describe('Seed of the sampling.'),
  finish_reason: z
    .enum(['stop', 'length'])
    .describe('`stop`: the model ended it; `length`: it ran out of tokens.'),
  prompt_tokens: z.int(),
  cached_tokens: z.int().describe('Prompt tokens reused from the cache.'),
  generated_tokens: z.int(),
  duration_ms: z.number().describe('Time of the call to the language model.'),
})

/** What the models saw in one photo. */
export const explainedPhotoSchema = z.object({
  photo: z.int().describe('Index of the photo.'),
  nsfw: z.number().describe('Probability that it is not safe for work.'),
  tags: z
    .array(
      z.object({
        tag: z.string(),
        group: z.string(),
        probability: z.number().describe('Softmax probability over the whole vocabulary.'),
        asserted: z.boolean().describe('Whether the answer uses the tag.'),
      }),
    )
    .describe('The most probable tags, asserted or not.'),
})

export type ModelsInUse = z.infer<typeof modelsInUseSchema>
export type GenerationCost = z.infer<typeof generationCostSchema>
export type ExplainedPhoto = z.infer<typeof explainedPhotoSchema>
