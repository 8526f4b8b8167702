import { z } from 'zod'
import { generationCostSchema } from '../inference/measure-generation.js'
import { modelsInUseSchema, type ModelsInUse } from '../inference/models-in-use.js'
import { explainedPhotoSchema, type ExplainedPhoto } from '../preferences/explained-photo.js'
import { roundTo } from '../text/round-to.js'
import { categorySchema } from './categories.js'
import type { PartContribution } from './judge-match.js'
import type { JudgedReason, WrittenReason } from './match-reason.js'
import type { PersonFacts } from './person.js'
import { PROFILE_PARTS } from './profile-text.js'
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
      logit: z.number().describe('Its logistic function is the confidence.'),
      parts: z.array(
        z.object({
          part: z.enum(PROFILE_PARTS),
          contribution: z
            .number()
            .describe('By how much the logit falls when neither profile has the part.'),
        }),
      ),
    })
    .describe('What the confidence rests on. Parts say the same in part, so they do not add up.'),
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
          .describe('How well the category describes the two: a logit of the match model.'),
        evidence: z.array(z.string()).describe('What the reason may name.'),
        related: z
          .array(z.string())
          .optional()
          .describe(
            'An entry of each that can be told together, the most alike without being the same.',
          ),
        opposed: z
          .array(z.string())
          .optional()
          .describe('An entry of each that exclude each other.'),
        chosen: z.boolean().describe('Whether it gives category and reason.'),
      }),
    )
    .describe(
      'By rank score, highest first. The first that has something to name is chosen: evidence, related entries or, where the confidence is low, opposed ones.',
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
  parts: readonly PartContribution[]
  reason: WrittenReason
  candidates: readonly JudgedReason[]
}

export function explainMatch({
  models,
  people,
  score,
  parts,
  reason,
  candidates,
}: MatchMaterial): MatchExplanation {
  return {
    models,
    user_a: explainPerson(people[0]),
    user_b: explainPerson(people[1]),
    confidence: {
      logit: roundTo(score.judgement.compatibility, 4),
      parts: parts.map(({ part, contribution }) => ({
        part,
        contribution: roundTo(contribution, 4),
      })),
    },
    signals: score.signals.map((signal) => ({
      category: signal.category,
      strength: roundTo(signal.strength(), 4),
      rank_score: roundTo(signal.rankScore, 4),
      evidence: [...signal.evidence],
      ...(signal.related && { related: [...signal.related] }),
      ...(signal.opposed && { opposed: [...signal.opposed] }),
      chosen: signal === score.chosen,
    })),
    reason: { source: reason.source, candidates: [...candidates] },
  }
}

function explainPerson({ facts, photos, isInferred }: ExplainedPerson) {
  const { interests, lifestyle } = facts
  return { photos, interests: [...interests], lifestyle: [...lifestyle], inferred: isInferred }
}
