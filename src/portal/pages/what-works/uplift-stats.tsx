import type { ArmCounts, LearningReport } from '../../../learning/learning-report.js'
import type { Arm } from '../../../openers/opener-policy.js'
import {
  formatAmount,
  formatPoints,
  formatShare,
  formatWholeShare,
  NO_NUMBER,
} from '../../analytics/format-number.js'
import { ARM_LABELS } from '../../analytics/labels.js'
import { Stat, StatRow } from '../../components/card.js'
import { isUsed } from './is-used.js'
import { describeRelative, judgeUplift } from './judge-uplift.js'
import { armRate } from './learning-tables.js'

const TONES = { positive: 'positive', negative: 'danger', unclear: undefined } as const

/** The numbers at the top of the page. */
export function UpliftStats({ report }: { report: LearningReport }) {
  const { uplift } = report
  return (
    <StatRow>
      <UpliftStat uplift={uplift} />
      <ArmStat arm="learned" counts={uplift.learned} />
      <ArmStat arm="control" counts={uplift.control} />
      {isUsed(report) && <ExplorationStat report={report} />}
    </StatRow>
  )
}

function ExplorationStat({ report: { exploration, styles } }: { report: LearningReport }) {
  const note =
    styles.length > 0
      ? 'of calls begin with another style than the best so far'
      : 'each style is equally likely to come first'
  return <Stat label="Explored" value={formatWholeShare(exploration)} note={note} />
}

function UpliftStat({ uplift: { difference, control } }: Pick<LearningReport, 'uplift'>) {
  if (!difference) return <Stat label="Uplift" value={NO_NUMBER} note="too early to compare" />
  const tone = TONES[judgeUplift(difference)]
  return (
    <Stat
      label="Uplift"
      value={`${formatPoints(difference.value)} points`}
      note={describeRelative(difference, control)}
      {...(tone && { tone })}
    />
  )
}

function ArmStat({ arm, counts }: { arm: Arm; counts: ArmCounts }) {
  return (
    <Stat
      label={`${ARM_LABELS[arm]} group`}
      value={formatShare(armRate(counts).rate)}
      note={`${formatAmount(counts.replied)} of ${formatAmount(counts.sent)} openers replied to`}
    />
  )
}
