import type { InferenceCall } from '../inference/inference-call.js'
import type { PairScores, ProfilePair, VisionModel } from '../inference/encoder/vision.js'
import { createTextCache } from '../text/text-cache.js'
import type { PersonFacts } from './person.js'
import { PROFILE_PARTS, type ProfilePart } from './profile-parts.js'
import { profileText } from './profile-text.js'

type Facts = readonly [PersonFacts, PersonFacts]

export interface PartContribution {
  part: ProfilePart
  /** How much the compatibility logit falls when the part is left out of both profiles. */
  contribution: number
}

/** Scores two people with the match model. The order of the two does not matter. */
export interface PairScorer {
  /** Scores of the match model; cached for a day. */
  score(facts: Facts, call: InferenceCall): Promise<PairScores>
  /** Contribution of each profile part to the compatibility, by leaving out one part at a time. */
  measureContributions(facts: Facts, call: InferenceCall): Promise<PartContribution[]>
}

export function createPairScorer(vision: Pick<VisionModel, 'scorePairs' | 'revision'>): PairScorer {
  const cache = createTextCache<PairScores>()

  async function score(facts: Facts, call: InferenceCall): Promise<PairScores> {
    const pair = pairOf(facts)
    const key = JSON.stringify([vision.revision(), ...[...pair].sort()])
    const cached = cache.get(key)
    if (cached) return cached
    const [scores] = await vision.scorePairs([pair], call)
    cache.set(key, scores!)
    return scores!
  }

  return {
    score,
    measureContributions: async (facts, call) => {
      const { compatibility } = await score(facts, call)
      const ablated = await vision.scorePairs(
        PROFILE_PARTS.map((part) => pairOf(facts, part)),
        call,
      )
      return PROFILE_PARTS.map((part, i) => ({
        part,
        contribution: compatibility - ablated[i]!.compatibility,
      }))
    },
  }
}

function pairOf([a, b]: Facts, without?: ProfilePart): ProfilePair {
  return [profileText(a, without), profileText(b, without)]
}
