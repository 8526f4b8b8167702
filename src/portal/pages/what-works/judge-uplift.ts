import type { ArmCounts, Estimate } from '../../../learning/learning-report.js'
import { formatWholeShare } from '../../analytics/format-number.js'

export type UpliftVerdict = 'positive' | 'negative' | 'unclear'

export const VERDICTS: Record<UpliftVerdict, string> = {
  positive: 'Learning gets more replies',
  negative: 'Learning gets fewer replies',
  unclear: 'No clear difference yet',
}

/** Whether the interval lies on one side of zero. */
export function judgeUplift({ low, high }: Estimate): UpliftVerdict {
  if (low > 0) return 'positive'
  return high < 0 ? 'negative' : 'unclear'
}

/** The uplift relative to the control group, such as `9% more replies`; undefined if that group got none. */
export function describeRelative({ value }: Estimate, control: ArmCounts): string | undefined {
  if (control.replied === 0) return undefined
  const relative = value / (control.replied / control.sent)
  return `${formatWholeShare(Math.abs(relative))} ${relative < 0 ? 'fewer' : 'more'} replies`
}
