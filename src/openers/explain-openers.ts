import type { ModelsInUse } from '../profile/explanation-fields.js'
import type { ExplainedPhoto } from '../profile/explanation-fields.js'
import type { OpenerFacts } from './opener-facts.js'
import type { OpenersExplanation } from './openers-contract.js'
import type { Style } from './styles.js'

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
