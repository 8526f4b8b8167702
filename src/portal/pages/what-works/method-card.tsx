import { ATTRIBUTION_DAYS } from '../../../events/attribution-window.js'
import { HALF_LIVES } from '../../../learning/choose-half-lives.js'
import type { LearningReport } from '../../../learning/learning-report.js'
import { formatDay } from '../../analytics/format-date.js'
import { formatAmount, formatCount, formatWholeShare } from '../../analytics/format-number.js'
import { Card } from '../../components/card.js'
import { isUsed } from './is-used.js'

const SLOWEST = HALF_LIVES[0]!
const [SLOWEST_OPENERS, FASTEST_OPENERS] = [SLOWEST, HALF_LIVES.at(-1)!].map(({ openers }) =>
  formatCount(openers),
)

/** What the numbers of the page rest on, one sentence for each term. */
export function MethodCard({ report }: { report: LearningReport }) {
  const { controlPercent } = report.settings
  return (
    <Card title="How it learns">
      <dl class="facts sentences">
        <dt>Evidence</dt>
        <dd>
          {describeEvidence(report)} Only numbers are kept: no text, no profile, nobody’s identity.
        </dd>
        <dt>Attribution window</dt>
        <dd>
          A reply counts for an opener if it came within {ATTRIBUTION_DAYS} days, and an opener is
          read only after that, so late replies favour nobody.
        </dd>
        <dt>Half-life</dt>
        <dd>
          An opener counts half as much after {SLOWEST.days} days, or after {FASTEST_OPENERS} to{' '}
          {SLOWEST_OPENERS} later openers: as many as would have predicted the last replies best, so
          that what is learnt follows changes.
        </dd>
        {isUsed(report) && (
          <>
            <dt>Exploration</dt>
            <dd>{describeExploration(report)}</dd>
          </>
        )}
        <dt>Comparison</dt>
        <dd>
          {controlPercent}% of people, always the same ones, get openers as if nothing had been
          learnt. They show what learning is worth.
        </dd>
      </dl>
      <p class="method">
        Reply rates say which openers that people chose to send were answered; they do not say why.
        How events are reported is described <a href="/docs">in the API documentation</a>, the model
        with its formulae and limits in <code>docs/learning.md</code> of the service’s repository.
      </p>
    </Card>
  )
}

function describeEvidence({ evidence }: LearningReport): string {
  const { sent, waiting, effective, since } = evidence
  const waitingOpeners = `${formatAmount(waiting)} openers still wait for replies`
  if (sent === 0) return waiting === 0 ? 'None yet.' : `${waitingOpeners}.`
  const beginning = since === undefined ? '' : ` since ${formatDay(since)}`
  const weight = formatCount(Math.floor(effective))
  return `${formatAmount(sent)} openers sent${beginning}, which weigh as much as ${weight} new ones; ${waitingOpeners}.`
}

function describeExploration({ evidence, exploration, styles }: LearningReport): string {
  return styles.length > 0
    ? `${formatWholeShare(exploration)} of calls in the learned group begin with another style than the best so far, so that the service notices when another one becomes better.`
    : `Until ${formatCount(evidence.needed)} openers count, each style is equally likely to come first in the learned group.`
}
