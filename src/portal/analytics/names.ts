import type { Style, Tone } from '../../openers/styles.js'
import type { Capability } from '../../organizations/capability.js'

/** What the pages call the capabilities, in the order of the pages. */
export const CAPABILITY_NAMES: Record<Capability, string> = {
  'conversation.openers': 'Openers',
  'match.evaluate': 'Match',
  'profile.infer_preferences': 'Preferences',
  events: 'Events',
}

/** The capabilities in the order of the pages. */
export function listCapabilities(): Capability[] {
  return Object.keys(CAPABILITY_NAMES) as Capability[]
}

/** Rows about capabilities, in the order of the pages. */
export function inOrderOfPages<Row extends { capability: Capability }>(
  rows: readonly Row[],
): Row[] {
  return listCapabilities().flatMap((capability) =>
    rows.filter((row) => row.capability === capability),
  )
}

export const STYLE_NAMES: Record<Style, string> = {
  playful_observation: 'Playful observation',
  open_question: 'Open question',
  photo_callback: 'Photo callback',
  shared_interest: 'Shared interest',
  confident_direct: 'Confident, direct',
}

export function listStyles(): Style[] {
  return Object.keys(STYLE_NAMES) as Style[]
}

export const TONE_NAMES: Record<Tone, string> = {
  playful: 'Playful',
  warm: 'Warm',
  direct: 'Direct',
  witty: 'Witty',
}
