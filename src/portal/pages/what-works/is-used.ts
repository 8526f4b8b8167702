import type { LearningReport } from '../../../learning/learning-report.js'

/** Whether calls are answered by what was learnt, or the service is on its way there. */
export function isUsed({ isAllowed, settings }: LearningReport): boolean {
  return isAllowed && settings.state !== 'off'
}
