import type { LearningState } from '../../../learning/learning-settings.js'

/** What was just changed, as the value of `?done=`. */
export type LearningDone = LearningState | 'control-share' | 'reset'

const CONFIRMATIONS: Record<LearningDone, string> = {
  on: 'Learning is on.',
  paused: 'Learning is paused. What was learnt stays in use.',
  off: 'Learning is off. Every call gets the fixed order of styles.',
  'control-share':
    'The share of the control group is changed. The comparison starts again tomorrow.',
  reset: 'What was learnt is deleted. Learning starts again with openers sent from tomorrow.',
}

/** The confirmation of a change; undefined without one. */
export function confirmationOf(query: URLSearchParams): string | undefined {
  const done = query.get('done') ?? ''
  return Object.hasOwn(CONFIRMATIONS, done) ? CONFIRMATIONS[done as LearningDone] : undefined
}
