import type { EventScope } from '../events/event-scope.js'
import type { LearningSettings } from './learning-settings.js'

/** Which environment to read, and as of when. */
export interface FitRequest {
  scope: EventScope
  settings: LearningSettings
  /** Days since the epoch. */
  today: number
}
