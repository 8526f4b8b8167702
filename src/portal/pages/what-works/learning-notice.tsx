import type { LearningReport } from '../../../learning/learning-report.js'
import type { MemberVisit } from '../../visit.js'

interface LearningNoticeProps {
  visit: MemberVisit
  report: LearningReport
}

/** Says so where the service does not learn; nothing where it does. */
export function LearningNotice({ visit, report: { isAllowed, settings } }: LearningNoticeProps) {
  if (!isAllowed) {
    return (
      <p class="notice warning">
        <strong>The operator of this host has switched learning off.</strong> Nothing is learnt,
        used or recorded in any environment.
      </p>
    )
  }
  if (settings.state === 'off') {
    return (
      <p class="notice warning">
        <strong>Learning is off in the {visit.environment} environment.</strong> Nothing is learnt,
        used or recorded.
      </p>
    )
  }
  if (settings.state === 'paused') {
    return (
      <p class="notice warning">
        <strong>Learning is paused in the {visit.environment} environment.</strong> What was learnt
        stays in use, and nothing is added.
      </p>
    )
  }
  return null
}
