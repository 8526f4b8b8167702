import { z } from 'zod'
import { generationCostSchema } from '../inference/measure-generation.js'
import { modelsInUseSchema, type ModelsInUse } from '../inference/models-in-use.js'
import { explainedPhotoSchema, type ExplainedPhoto } from '../preferences/explained-photo.js'
import type { OpenerFacts } from './opener-facts.js'
import { styleSchema, type Style } from './styles.js'

const candidateSchema = z.object({
  style: styleSchema,
  text: z.string().describe('As the model wrote it, on one line.'),
  beginning: z
    .string()
    .describe('The part that a person wrote, filled with a detail; empty where the model began.'),
  outcome: z.string().describe('`passed`, or the first check that it failed.'),
  released: z.boolean().describe('Whether it is an opener of the answer.'),
  scores: z
    .record(z.string(), z.number())
    .describe('What the choice among those that passed rests on; higher is better.'),
  ...generationCostSchema.shape,
})

/** How openers came about. */
export const openersExplanationSchema = z.object({
  models: modelsInUseSchema,
  photos: z.array(explainedPhotoSchema),
  facts: z
    .object({
      photo_elements: z.array(z.string()),
      likes: z.array(z.string()).describe("The recipient's interests."),
      sender_likes: z.array(z.string()),
      common_ground: z.array(z.string()),
    })
    .describe('What the openers may speak of, besides the bio.'),
  candidates: z.array(candidateSchema).describe('In the order in which they were judged.'),
})

export type OpenersExplanation = z.infer<typeof openersExplanationSchema>

/** A candidate as it was judged. */
export type JudgedCandidate = Omit<OpenersExplanation['candidates'][number], 'released'>

export interface OpenersMaterial {
  models: ModelsInUse
  photos: ExplainedPhoto[]
  facts: OpenerFacts
  candidates: readonly JudgedCandidate[]
  openers: readonly { text: string; style: Style }[]
}

export function explainOpeners(material: OpenersMaterial): OpenersExplanation {
  const { models, photos, facts, openers } = material
  const released = new Set(openers.map(({ style, text }) => `${style} ${text}`))
  return {
    models,
    photos,
    facts: {
      photo_elements: [...facts.photoElements],
      likes: [...facts.likes],
      sender_likes: [...facts.senderLikes],
      common_ground: [...facts.commonGround],
    },
    candidates: material.candidates.map((candidate) => ({
      ...candidate,
      released:
        candidate.outcome === 'passed' && released.has(`${candidate.style} ${candidate.text}`),
    })),
  }
}
