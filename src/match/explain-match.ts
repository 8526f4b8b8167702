import type { ExplainedPhoto, ModelsInUse } from '../profile/explanation-fields.js'
import { roundTo } from '../text/round-to.js'
import type { MatchExplanation } from './match-contract.js'
import type { MatchReason, ReasonCandidate } from './match-reason.js'
import type { PartContribution } from './pair-scorer.js'
import type { PersonFacts } from './person.js'
import type { MatchScore } from './score-match.js'

/** One side of a match, for its explanation. */
export interface ExplainedPerson {
  facts: PersonFacts
  photos: ExplainedPhoto[]
  /** Whether the service inferred the preferences itself. */
  isInferred: boolean
}

export interface MatchMaterial {
  models: ModelsInUse
  people: readonly [ExplainedPerson, ExplainedPerson]
  score: MatchScore
  parts: readonly PartContribution[]
  reason: MatchReason
  candidates: readonly ReasonCandidate[]
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
      logit: roundTo(score.pairScores.compatibility, 4),
      parts: parts.map(({ part, contribution }) => ({
        part,
        contribution: roundTo(contribution, 4),
      })),
    },
    signals: score.signals.map((signal) => ({
      category: signal.category,
      strength: roundTo(signal.strength, 4),
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
