import type { InferenceCall } from '../inference/call.js'
import type { PairScores, ProfilePair, VisionModel } from '../inference/encoder/vision.js'
import { createTextCache } from '../text/text-cache.js'
import type { PersonFacts } from './person.js'
import { PROFILE_PARTS, type ProfilePart } from './profile-parts.js'
import { profileText } from './profile-text.js'

type Facts = readonly [PersonFacts, PersonFacts]

/** What a part of both profiles carries. */
export interface PartContribution {
  part: ProfilePart
  /** By how much the logit of a good match falls when neither profile has the part. */
  contribution: number
}

/** Asks the match model about two people; the same both ways round. */
export interface MatchJudge {
  /** What it says of them; the same profiles are read once a day. */
  judge(facts: Facts, call: InferenceCall): Promise<PairScores>
  /** What each part of their profiles contributes to that. */
  weighParts(facts: Facts, call: InferenceCall): Promise<PartContribution[]>
}

export function createMatchJudge(vision: Pick<VisionModel, 'scorePairs' | 'revision'>): MatchJudge {
  const cache = createTextCache<PairScores>()

  async function judge(facts: Facts, call: InferenceCall): Promise<PairScores> {
    const pair = pairOf(facts)
    const key = JSON.stringify([vision.revision(), ...[...pair].sort()])
    const known = cache.get(key)
    if (known) return known
    const [judgement] = await vision.scorePairs([pair], call)
    cache.set(key, judgement!)
    return judgement!
  }

  return {
    judge,
    weighParts: async (facts, call) => {
      const pairs = PROFILE_PARTS.map((part) => pairOf(facts, part))
      const { compatibility } = await judge(facts, call)
      const without = await vision.scorePairs(pairs, call)
      return PROFILE_PARTS.map((part, i) => ({
        part,
        contribution: compatibility - without[i]!.compatibility,
      }))
    },
  }
}

function pairOf([a, b]: Facts, without?: ProfilePart): ProfilePair {
  return [profileText(a, without), profileText(b, without)]
}
