import type { LearningReport } from '../../../learning/learning-report.js'
import { CONTROL_PERCENT, type LearningState } from '../../../learning/learning-settings.js'
import { formatAmount } from '../../analytics/format-number.js'
import { ConfirmForm } from '../../components/confirm-form.js'
import { Field } from '../../components/field.js'
import { PostForm } from '../../components/post-form.js'
import type { MemberVisit } from '../../visit.js'

interface LearningSwitchesProps {
  visit: MemberVisit
  report: LearningReport
}

/** What owners can change. What cannot be undone, or restarts something, asks first. */
export function LearningSwitches({ visit, report }: LearningSwitchesProps) {
  const { state } = report.settings
  return (
    <div class="button-row">
      {state !== 'on' && (
        <StateButton visit={visit} state="on" label={state === 'off' ? 'Switch on' : 'Resume'} />
      )}
      {state === 'on' && <StateButton visit={visit} state="paused" label="Pause" />}
      <ControlShareForm visit={visit} report={report} />
      {state !== 'off' && <OffForm visit={visit} />}
      <ResetForm visit={visit} report={report} />
    </div>
  )
}

interface StateButtonProps {
  visit: MemberVisit
  state: LearningState
  label: string
}

function StateButton({ visit, state, label }: StateButtonProps) {
  return (
    <PostForm visit={visit} action="/portal/what-works/state">
      <EnvironmentField visit={visit} />
      <button
        type="submit"
        name="state"
        value={state}
        class={state === 'on' ? 'primary' : undefined}
      >
        {label}
      </button>
    </PostForm>
  )
}

function ControlShareForm({ visit, report }: LearningSwitchesProps) {
  const { min, max } = CONTROL_PERCENT
  return (
    <ConfirmForm
      id="control-share"
      visit={visit}
      action="/portal/what-works/control-share"
      label="Change the control share"
      question="Change the share of the control group?"
      confirm="Change the share"
      tone="plain"
    >
      <EnvironmentField visit={visit} />
      <Field
        name="percent"
        label="Share of people, in percent"
        type="number"
        min={min}
        max={max}
        step={1}
        required
        value={report.settings.controlPercent}
        hint={`From ${min} to ${max}. A larger control group shows sooner what learning is worth; a smaller one lets more people have it.`}
      />
      <p>
        Another share moves people between the groups, so the comparison starts again tomorrow (UTC)
        and the uplift shown so far is given up. What was learnt stays.
      </p>
    </ConfirmForm>
  )
}

function OffForm({ visit }: { visit: MemberVisit }) {
  return (
    <ConfirmForm
      id="switch-off"
      visit={visit}
      action="/portal/what-works/state"
      label="Switch off"
      question={`Switch learning off in the ${visit.environment} environment?`}
      confirm="Switch off"
    >
      <EnvironmentField visit={visit} />
      <input type="hidden" name="state" value="off" />
      <p>
        Everybody then gets the fixed order of styles. Openers written while learning is off are
        never learnt from. What was learnt before is kept and used again when you switch it on;
        reset it first if it is to be deleted.
      </p>
    </ConfirmForm>
  )
}

function ResetForm({ visit, report: { evidence } }: LearningSwitchesProps) {
  return (
    <ConfirmForm
      id="reset"
      visit={visit}
      action="/portal/what-works/reset"
      label="Reset"
      question={`Forget what was learnt in the ${visit.environment} environment?`}
      confirm="Forget it and start again"
    >
      <EnvironmentField visit={visit} />
      <p>
        The counts behind this page are deleted for good: {formatAmount(evidence.sent)} openers that
        count, {formatAmount(evidence.waiting)} that wait for replies, and the comparison with the
        control group. Learning starts again with openers sent from tomorrow (UTC); until{' '}
        {evidence.needed} of them count, all styles are equally likely to come first.
      </p>
      <p>The reply rates under Openers stay. This cannot be undone.</p>
    </ConfirmForm>
  )
}

/** The environment that the page showed, so that a form never changes another one. */
function EnvironmentField({ visit }: { visit: MemberVisit }) {
  return <input type="hidden" name="environment" value={visit.environment} />
}
