import type { Estimate, UpliftReport } from '../../../learning/learning-report.js'
import { MIN_SENT } from '../../../learning/uplift.js'
import { axisReach, DifferencePlot } from '../../analytics/difference-plot.js'
import { formatDay } from '../../analytics/format-date.js'
import { formatAmount, formatPoints, formatShare } from '../../analytics/format-number.js'
import { Card } from '../../components/card.js'
import { armRate } from './learning-tables.js'
import { describeInterval, describeRelative, judgeUplift, VERDICTS } from './judge-uplift.js'

/** Whether learning pays, as an answer in words with the interval that it rests on. */
export function UpliftCard({ uplift }: { uplift: UpliftReport }) {
  const { difference } = uplift
  if (!difference) return <NoComparison uplift={uplift} />
  return (
    <Card title={VERDICTS[judgeUplift(difference)]}>
      <UpliftSentences uplift={uplift} difference={difference} />
      <UpliftPlot difference={difference} />
      <p class="method">
        The interval holds at all times at once, so you may read it every day and act on it as soon
        as it is above or below zero. It takes into account that one person sends several openers.
        {uplift.since !== undefined && ` Compared since ${formatDay(uplift.since)}.`}
      </p>
    </Card>
  )
}

interface UpliftSentencesProps {
  uplift: UpliftReport
  difference: Estimate
}

function UpliftSentences({ uplift: { learned, control }, difference }: UpliftSentencesProps) {
  const relative = describeRelative(difference, control)
  return (
    <>
      <p>
        The learned group got replies to {formatShare(armRate(learned).rate)} of its openers, the
        control group to {formatShare(armRate(control).rate)}. The uplift is{' '}
        <strong>{formatPoints(difference.value)} percentage points</strong>
        {relative && `, which is ${relative} than in the control group`}. With 95% confidence it is{' '}
        <strong>{describeInterval(difference)}</strong>.
      </p>
      {judgeUplift(difference) === 'negative' && (
        <p class="notice warning">
          Reset learning, so that it starts again without what it learnt, or switch it off. Both are
          under Settings below.
        </p>
      )}
    </>
  )
}

function UpliftPlot({ difference }: { difference: Estimate }) {
  const reach = axisReach([difference])
  return (
    <div class="difference-axis">
      <DifferencePlot difference={difference} reach={reach} />
      <p class="difference-labels" aria-hidden="true">
        <span>{formatPoints(-reach)} points</span>
        <span>no difference</span>
        <span>{formatPoints(reach)} points</span>
      </p>
    </div>
  )
}

function NoComparison({ uplift: { since, learned, control } }: { uplift: UpliftReport }) {
  return (
    <Card title="Too early to compare">
      <p>
        {formatAmount(learned.sent)} openers of the learned group and {formatAmount(control.sent)}{' '}
        of the control group count so far
        {since !== undefined && `, from ${formatDay(since)} on`}. An interval needs at least{' '}
        {MIN_SENT} openers in each, from enough different people. The smaller group decides how long
        that takes, so a larger control group gives an answer sooner.
      </p>
    </Card>
  )
}
