import { z } from 'zod'
import { generationCostSchema } from '../inference/measure-generation.js'
import { modelsInUseSchema, type ModelsInUse } from '../inference/models-in-use.js'
import { explainedPhotoSchema, type ExplainedPhoto } from '../preferences/explained-photo.js'
import { roundTo } from '../text/round-to.js'
import { categorySchema } from './categories.js'
import type { JudgedReason, WrittenReason } from './match-reason.js'
import type { PersonFacts } from './person.js'
import type { MatchScore } from './score-match.js'

const personSchema = z.object({
  photos: z.array(explainedPhotoSchema),
  interests: z.array(z.string()).describe('As they were compared.'),
  lifestyle: z.array(z.string()).describe('As it was compared.'),
  inferred: z.boolean().describe('Whether the service inferred the preferences itself.'),
})

const reasonCandidateSchema = z.object({
  text: z.string(),
  passed: z.boolean().describe('Whether it kept to the rules for reasons.'),
  ...generationCostSchema.shape,
})

/** How a match was scored and its reason found. */
export const matchExplanationSchema = z.object({
  models: modelsInUseSchema,
  user_a: personSchema,
  user_b: personSchema,
  confidence: z
    .object({
      bias: z.number(),
      terms: z.array(
        z.object({
          name: z.string(),
          value: z.number().describe('What was measured.'),
          weight: z.number(),
          contribution: z.number().describe('What it adds to the logit.'),
        }),
      ),
      logit: z
        .number()
        .describe('Bias and contributions; its logistic function is the confidence.'),
    })
    .describe('How the confidence adds up.'),
  calibration: z
    .object({ date: z.string(), data: z.string(), pairs: z.int() })
    .describe('When the weights were fitted, and on what.'),
  signals: z
    .array(
      z.object({
        category: categorySchema,
        strength: z
          .number()
          .min(0)
          .max(1)
          .describe('How strong it is by a measure of its own; plays no part in the order.'),
        rank_score: z
          .number()
          .describe('How well the category describes the two, on a scale that all signals share.'),
        evidence: z.array(z.string()).describe('What the reason may name.'),
        related: z
          .array(z.string())
          .optional()
          .describe('An entry of each that lie near each other without being the same.'),
        chosen: z.boolean().describe('Whether it gives category and reason.'),
      }),
    )
    .describe(
      'By rank score, highest first. The first with evidence or related entries is chosen.',
    ),
  reason: z.object({
    source: z
      .enum(['model', 'cache', 'composed'])
      .describe('Written now, remembered from the same evidence, or put together without a model.'),
    candidates: z.array(reasonCandidateSchema),
  }),
})

export type MatchExplanation = z.infer<typeof matchExplanationSchema>

/** What is known of one side. */
export interface ExplainedPerson {
  facts: PersonFacts
  photos: ExplainedPhoto[]
  isInferred: boolean
}

export interface MatchMaterial {
  models: ModelsInUse
  people: readonly [ExplainedPerson, ExplainedPerson]
  score: MatchScore
  reason: WrittenReason
  candidates: readonly JudgedReason[]
}

export function explainMatch({
  models,
  people,
  score,
  reason,
  candidates,
}: MatchMaterial): MatchExplanation {
  return {
    models,
    user_a: explainPerson(people[0]),
    user_b: explainPerson(people[1]),
    confidence: {
      bias: score.bias,
      terms: score.terms.map(({ value, contribution, ...term }) => ({
        ...term,
        value: roundTo(value, 4),
        contribution: roundTo(contribution, 4),
      })),
      logit: roundTo(score.logit, 4),
    },
    calibration: score.fitted,
    signals: score.signals.map((signal) => ({
      category: signal.category,
      strength: roundTo(signal.strength(), 4),
      rank_score: roundTo(signal.rankScore, 4),
      evidence: [...signal.evidence],
      ...(signal.related && { related: [...signal.related] }),
      chosen: signal === score.chosen,
    })),
    reason: { source: reason.source, candidates: [...candidates] },
  }
}

function explainPerson({ facts, photos, isInferred }: ExplainedPerson) {
  const { interests, lifestyle } = facts
  return { photos, interests: [...interests], lifestyle: [...lifestyle], inferred: isInferred }
}
