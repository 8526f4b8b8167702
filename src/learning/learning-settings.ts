/** `paused`: what was learnt stays in use, and nothing is added. `off`: nothing is learnt, used or recorded. */
export const LEARNING_STATES = ['on', 'paused', 'off'] as const
export type LearningState = (typeof LEARNING_STATES)[number]

/** What a partner set for one environment. Days are days since the epoch. */
export interface LearningSettings {
  state: LearningState
  /** Share of end users in the control group, in percent. */
  controlPercent: number
  /** Openers sent earlier are not learnt from. */
  learnsFromDay: number | null
  /** Openers sent later are not learnt from. */
  learnsUntilDay: number | null
  /** The comparison with the control group starts here. */
  measuredFromDay: number | null
}

export const CONTROL_PERCENT = { min: 5, max: 50, default: 10 }

export const DEFAULT_SETTINGS: LearningSettings = {
  state: 'on',
  controlPercent: CONTROL_PERCENT.default,
  learnsFromDay: null,
  learnsUntilDay: null,
  measuredFromDay: null,
}
