import { syntheticFraction } from '../profile/synthetic-choice.js'
import type { OpenersRequest, OpenersResponse } from './openers-contract.js'
import { listPossibleStyles, type Style } from './styles.js'

const TEXTS: Record<Style, string> = {
  playful_observation: 'Synthetic test data never looked so light-hearted.',
  open_question: 'Which part of this synthetic test data would you ask about?',
  photo_callback: 'The photo in this synthetic test data is a good one.',
  shared_interest: 'You both share an interest in synthetic test data.',
  confident_direct: 'This is synthetic test data.',
}

/** Synthetic openers for test keys; the same request always gets the same openers. */
export function syntheticOpeners(body: OpenersRequest, requestId: string): OpenersResponse {
  const styles = listPossibleStyles(body.tone, { hasPhotoElements: true, hasCommonGround: true })
  const start = Math.floor(syntheticFraction(body, 'style') * styles.length)
  const openers = Array.from({ length: body.count }, (_, i) => {
    const style = styles[(start + i) % styles.length]!
    const text = TEXTS[style]
    return { text, style, length: [...text].length }
  })
  return { request_id: requestId, openers }
}
