import type { Style, Tone } from '../openers/styles.js'
import type { LearningSettings } from './learning-settings.js'

/** An estimate with its 95 % interval. */
export interface Estimate {
  value: number
  low: number
  high: number
}

/** What one environment has learnt, and what that is worth: the contents of the portal's page. */
export interface LearningReport {
  /** Whether the operator allows learning on this host. */
  isAllowed: boolean
  settings: LearningSettings
  evidence: {
    /** Sent openers whose attribution window has passed. */
    sent: number
    /** Their weight after fading. */
    effective: number
    /** Sent openers whose attribution window is still open. */
    waiting: number
    /** Below this effective number, nothing that was learnt is used. */
    needed: number
    /** Start of the first day that counts, in milliseconds since the epoch; undefined without evidence. */
    since: number | undefined
  }
  uplift: UpliftReport
  /** Reply rates by ISO week and arm, oldest first. */
  weeks: readonly WeekByArm[]
  /** Empty below the needed evidence. */
  styles: readonly StyleEstimate[]
  traits: readonly TraitEstimate[]
  /** Share of calls whose first style is not the one with the best estimate, in [0, 1]; 1 below the needed evidence. */
  exploration: number
}

export interface ArmCounts {
  sent: number
  replied: number
}

export interface UpliftReport {
  /** Start of the comparison, in milliseconds since the epoch. */
  since: number | undefined
  learned: ArmCounts
  control: ArmCounts
  /**
   * Difference of the reply rates, learned minus control, in [-1, 1]. The interval holds at all times at once, so it may be
   * read every day. Undefined while one of the arms has too few openers or buckets for an interval.
   */
  difference: Estimate | undefined
}

export interface WeekByArm {
  /** The ISO week, such as `2026-W28`. */
  week: string
  /** Monday 00:00 UTC, in milliseconds since the epoch. */
  startsAt: number
  learned: ArmCounts
  control: ArmCounts
}

/** What was learnt of a style in a tone. */
export interface StyleEstimate {
  tone: Tone
  style: Style
  /** Reply rate, with the traits that openers of this style have on average. */
  replyRate: Estimate
  /** Probability in [0, 1] that its reply rate is above the average of the tone's styles. */
  probabilityAboveAverage: number
  /** Probability in [0, 1] that its reply rate is the best in this tone. */
  probabilityBest: number
  /** Probability in [0, 1] that it is written first when there is material for all styles. */
  firstShare: number
  /** Sent openers that count, unfaded. */
  sent: number
}

/** What was learnt of a trait, other things being equal. */
export interface TraitEstimate {
  trait: TraitName
  /** Change of the reply rate against openers without the trait, at the average reply rate; in [-1, 1]. */
  effect: Estimate
}

export const TRAITS = ['question', 'photo', 'bio', 'shared', 'short', 'long', 'score'] as const
export type TraitName = (typeof TRAITS)[number]
