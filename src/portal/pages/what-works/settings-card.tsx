import { isAtLeast } from '../../../accounts/role.js'
import type { LearningReport } from '../../../learning/learning-report.js'
import type { LearningSettings, LearningState } from '../../../learning/learning-settings.js'
import { LEARNING_STATE_LABELS } from '../../analytics/labels.js'
import { Card } from '../../components/card.js'
import type { MemberVisit } from '../../visit.js'
import { LearningSwitches } from './learning-switches.js'

const MEANINGS: Record<LearningState, string> = {
  on: 'The service learns from reported replies and uses what it learnt.',
  paused: 'What was learnt stays in use, and nothing is added.',
  off: 'Nothing is learnt, used or recorded. Every call gets the fixed order of styles.',
}

interface SettingsCardProps {
  visit: MemberVisit
  report: LearningReport
}

/** The settings of the environment, and for owners the switches. */
export function SettingsCard({ visit, report }: SettingsCardProps) {
  return (
    <Card title={`Settings of the ${visit.environment} environment`}>
      <SettingsFacts settings={report.settings} />
      <SettingsSwitches visit={visit} report={report} />
    </Card>
  )
}

function SettingsSwitches({ visit, report }: SettingsCardProps) {
  if (!isAtLeast(visit.session.role, 'owner')) {
    return <p class="muted">Only owners of your organisation can change these settings.</p>
  }
  if (!report.isAllowed) {
    return <p class="muted">The switches return when the operator allows learning again.</p>
  }
  return <LearningSwitches visit={visit} report={report} />
}

function SettingsFacts({ settings: { state, controlPercent } }: { settings: LearningSettings }) {
  return (
    <dl class="facts">
      <dt>Learning</dt>
      <dd>
        <strong>{LEARNING_STATE_LABELS[state]}.</strong> {MEANINGS[state]}
      </dd>
      <dt>Control share</dt>
      <dd>{controlPercent}% of people</dd>
    </dl>
  )
}
