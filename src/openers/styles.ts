import { z } from 'zod'

/** The five style labels of the API, with what each promises. */
export const STYLES = {
  playful_observation: 'Light, observational, no question.',
  open_question: 'Invites a reply by asking.',
  photo_callback: 'References a specific element in the photos.',
  shared_interest: 'Calls out something sender and recipient have in common.',
  confident_direct: 'Short, declarative, no hedging.',
} as const

export type Style = keyof typeof STYLES

export const STYLE_NAMES = Object.keys(STYLES) as [Style, ...Style[]]

export const styleSchema = z.enum(STYLE_NAMES)

export const TONES = ['playful', 'warm', 'direct', 'witty'] as const
export type Tone = (typeof TONES)[number]

/** A tone that may stand in for another: teasing and dry wit are near, and so are plain warmth and plain words. */
export const NEAR_TONE: Record<Tone, Tone> = {
  playful: 'witty',
  witty: 'playful',
  warm: 'direct',
  direct: 'warm',
}

/** Styles by how well they suit a tone, best first. */
const PREFERRED: Record<Tone, readonly Style[]> = {
  playful: [
    'playful_observation',
    'open_question',
    'photo_callback',
    'shared_interest',
    'confident_direct',
  ],
  warm: [
    'open_question',
    'shared_interest',
    'photo_callback',
    'playful_observation',
    'confident_direct',
  ],
  direct: [
    'confident_direct',
    'open_question',
    'shared_interest',
    'photo_callback',
    'playful_observation',
  ],
  witty: [
    'playful_observation',
    'photo_callback',
    'open_question',
    'confident_direct',
    'shared_interest',
  ],
}

export interface StyleMaterial {
  /** Something was recognised in the recipient's photos. */
  hasPhotoElements: boolean
  /** Sender and recipient have something in common. */
  hasCommonGround: boolean
}

/** Styles for which the facts have material, best for the tone first. */
export function listPossibleStyles(tone: Tone, material: StyleMaterial): Style[] {
  return PREFERRED[tone].filter((style) => {
    if (style === 'photo_callback') return material.hasPhotoElements
    if (style === 'shared_interest') return material.hasCommonGround
    return true
  })
}
