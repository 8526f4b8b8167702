import { ATTRIBUTION_DAYS } from '../../../events/attribution-window.js'
import type { LearningReport } from '../../../learning/learning-report.js'
import { formatAmount, formatCount } from '../../analytics/format-number.js'
import { Meter } from '../../analytics/meter.js'
import { Card } from '../../components/card.js'
import { EmptyState } from '../../components/notices.js'

/** Says what is missing before anything can be learnt; nothing once there is enough. */
export function MissingEvidence({ report }: { report: LearningReport }) {
  const { isAllowed, settings, evidence, styles } = report
  if (evidence.effective >= evidence.needed) return null
  if (styles.length > 0) return <LearntFromOthers evidence={evidence} />
  if (evidence.sent > 0) return <TooFewOpeners evidence={evidence} />
  if (evidence.waiting > 0) return <OpenersWait evidence={evidence} />
  return isAllowed && settings.state === 'on' ? <NothingReported /> : <NothingLearnt />
}

type EvidenceProps = Pick<LearningReport, 'evidence'>

function TooFewOpeners({ evidence: { effective, needed, waiting } }: EvidenceProps) {
  // Rounded down, so that the page never shows the needed number before it is reached.
  const counted = formatCount(Math.floor(effective))
  return (
    <Card title="Not enough evidence yet">
      <p>
        <strong>
          {counted} of {formatCount(needed)} openers
        </strong>{' '}
        count so far. Until then nothing that was learnt is used, and each style is equally likely
        to come first. {formatAmount(waiting)} openers still wait for replies. Older openers count
        less, so a partner that sends few gets there slowly.
      </p>
      <Meter share={effective / needed} tone="accent" />
    </Card>
  )
}

/** The operator lets live environments start from what others of the host learnt. */
function LearntFromOthers({ evidence: { effective, needed } }: EvidenceProps) {
  return (
    <Card title="Not enough evidence of your own yet">
      <p>
        {formatCount(Math.floor(effective))} of your openers count so far. Until there are{' '}
        {formatCount(needed)}, what other partners of this host learnt decides most of what this
        page shows. The operator allows that.
      </p>
    </Card>
  )
}

function OpenersWait({ evidence: { waiting } }: EvidenceProps) {
  return (
    <Card>
      <EmptyState title="The first openers still wait for replies">
        <p>
          {formatAmount(waiting)} openers were sent. A day counts once {ATTRIBUTION_DAYS} whole days
          for replies have passed, so the first numbers appear on the fourth day after it.
        </p>
      </EmptyState>
    </Card>
  )
}

function NothingReported() {
  return (
    <Card>
      <EmptyState title="Nothing was learnt yet, because no opener was reported as sent">
        <p>
          Report <code>opener_sent</code> and <code>conversation_reply</code> to{' '}
          <a href="/docs">POST /v1/events</a>, best with the <code>opener_index</code>. The service
          then learns which styles and kinds of openers get replies from your people.
        </p>
      </EmptyState>
    </Card>
  )
}

function NothingLearnt() {
  return (
    <Card>
      <EmptyState title="Nothing was learnt">
        <p>There is no evidence from before learning stopped.</p>
      </EmptyState>
    </Card>
  )
}
