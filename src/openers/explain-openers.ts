import type { ExplainedPhoto, ModelsInUse } from '../profile/explanation-fields.js'
import { roundTo } from '../text/round-to.js'
import type { OpenerFacts } from './opener-facts.js'
import type { PolicyChoice } from './opener-policy.js'
import type { OpenersExplanation } from './openers-contract.js'
import type { Style } from './styles.js'

/** A candidate of the explanation, except whether it was released: that is known only at the end. */
export type ExplainedCandidate = Omit<OpenersExplanation['candidates'][number], 'released'>

export interface ExplanationInput {
  models: ModelsInUse
  photos: ExplainedPhoto[]
  facts: OpenerFacts
  choice: PolicyChoice
  candidates: readonly ExplainedCandidate[]
  openers: readonly { text: string; style: Style }[]
}

export function explainOpeners(input: ExplanationInput): OpenersExplanation {
  const { models, photos, facts, choice, candidates, openers } = input
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
    policy: explainChoice(choice),
    candidates: candidates.map((candidate) => ({
      ...candidate,
      released:
        candidate.outcome === 'passed' && released.has(`${candidate.style} ${candidate.text}`),
    })),
  }
}

function explainChoice({
  styles,
  preference,
  selection,
}: PolicyChoice): OpenersExplanation['policy'] {
  const { arm, probabilities } = selection ?? {}
  return {
    ...(arm && { arm }),
    styles: [...styles],
    ...(probabilities && { probabilities: probabilities.map((value) => roundTo(value, 3)) }),
    uses_evidence: preference !== undefined,
  }
}
