import type { InferenceCall } from '../inference/call.js'
import type { MatchJudgement, ProfilePair, VisionModel } from '../inference/vision.js'
import type { PersonFacts } from './person.js'
import { PROFILE_PARTS, profileText, type ProfilePart } from './profile-text.js'

type Facts = readonly [PersonFacts, PersonFacts]
type Judge = Pick<VisionModel, 'judgePairs'>

/** What a part of both profiles carries. */
export interface PartContribution {
  part: ProfilePart
  /** By how much the logit of a good match falls when neither profile has the part. */
  contribution: number
}

/** What the match model says of two people; the same both ways round. */
export async function judgeMatch(
  facts: Facts,
  vision: Judge,
  call: InferenceCall,
): Promise<MatchJudgement> {
  const [judgement] = await vision.judgePairs([pairOf(facts)], call)
  return judgement!
}

/** What each part of two profiles contributes to their judgement. */
export async function weighParts(
  facts: Facts,
  { compatibility }: MatchJudgement,
  vision: Judge,
  call: InferenceCall,
): Promise<PartContribution[]> {
  const pairs = PROFILE_PARTS.map((part) => pairOf(facts, part))
  const judgements = await vision.judgePairs(pairs, call)
  return PROFILE_PARTS.map((part, i) => ({
    part,
    contribution: compatibility - judgements[i]!.compatibility,
  }))
}

function pairOf([a, b]: Facts, without?: ProfilePart): ProfilePair {
  return [profileText(a, without), profileText(b, without)]
}
