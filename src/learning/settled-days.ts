import { ATTRIBUTION_DAYS, lastSettledDay } from '../events/attribution-window.js'
import type { LearningSettings } from './learning-settings.js'

/** Days since the epoch, both included. */
export interface DayRange {
  from: number
  to: number
}

/**
 * The day on which the posterior stands: today, but while paused never later than the day on which the openers of the last
 * day before the pause were settled. What was learnt then neither grows nor fades.
 */
export function learningDay({ learnsUntilDay }: LearningSettings, today: number): number {
  return learnsUntilDay === null ? today : Math.min(today, learnsUntilDay + ATTRIBUTION_DAYS + 1)
}

/** Days whose openers are learnt from: not before a reset, and past their attribution window. */
export function learntDays(settings: LearningSettings, today: number): DayRange {
  return { from: settings.learnsFromDay ?? 0, to: lastSettledDay(learningDay(settings, today)) }
}

/** Days whose openers the comparison of the arms covers. A pause does not end it: what was learnt stays in use. */
export function comparedDays(settings: LearningSettings, today: number): DayRange {
  const { measuredFromDay, learnsFromDay } = settings
  return { from: Math.max(measuredFromDay ?? 0, learnsFromDay ?? 0), to: lastSettledDay(today) }
}
