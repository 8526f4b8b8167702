import type { TraitName } from '../../learning/learning-report.js'
import type { LearningState } from '../../learning/learning-settings.js'
import type { Arm } from '../../openers/opener-policy.js'
import type { Style, Tone } from '../../openers/styles.js'
import type { Capability } from '../../organizations/capability.js'

/** Labels of the capabilities, in the order in which pages list them. */
export const CAPABILITY_LABELS: Record<Capability, string> = {
  'conversation.openers': 'Openers',
  'match.evaluate': 'Match',
  'profile.infer_preferences': 'Preferences',
  events: 'Events',
}

/** The capabilities in the order in which pages list them. */
export function listCapabilities(): Capability[] {
  return Object.keys(CAPABILITY_LABELS) as Capability[]
}

/** Rows in the order in which pages list their capabilities. */
export function sortByCapability<Row extends { capability: Capability }>(
  rows: readonly Row[],
): Row[] {
  return listCapabilities().flatMap((capability) =>
    rows.filter((row) => row.capability === capability),
  )
}

export const STYLE_LABELS: Record<Style, string> = {
  playful_observation: 'Playful observation',
  open_question: 'Open question',
  photo_callback: 'Photo callback',
  shared_interest: 'Shared interest',
  confident_direct: 'Confident, direct',
}

export function listStyles(): Style[] {
  return Object.keys(STYLE_LABELS) as Style[]
}

export const TONE_LABELS: Record<Tone, string> = {
  playful: 'Playful',
  warm: 'Warm',
  direct: 'Direct',
  witty: 'Witty',
}

export function listTones(): Tone[] {
  return Object.keys(TONE_LABELS) as Tone[]
}

/** The two groups of the comparison. */
export const ARM_LABELS: Record<Arm, string> = {
  learned: 'Learned',
  control: 'Control',
}

export const LEARNING_STATE_LABELS: Record<LearningState, string> = {
  on: 'On',
  paused: 'Paused',
  off: 'Off',
}

export const TRAIT_LABELS: Record<TraitName, string> = {
  question: 'Asks a question',
  photo: 'Names something in a photo',
  bio: 'Names something in the bio',
  shared: 'Names something both like',
  short: 'Short',
  long: 'Long',
  score: 'Scored 0.1 higher by the reranker',
}
