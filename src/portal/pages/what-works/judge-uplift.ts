import type { ArmCounts, Estimate } from '../../../learning/learning-report.js'
import { formatPoints, formatWholeShare } from '../../analytics/format-number.js'

/** Half of a tenth of a point, the smallest difference that pages show. */
const SMALLEST_SHOWN = 0.0005

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

/** The interval in words, such as `between +0.4 and +3.2 percentage points`. */
export function describeInterval({ low, high }: Estimate): string {
  return `between ${describeEnd(low)} and ${describeEnd(high)} percentage points`
}

/** An end that rounds to zero still shows on which side of zero it lies, because the verdict rests on that. */
function describeEnd(end: number): string {
  const isTiny = end !== 0 && Math.abs(end) < SMALLEST_SHOWN
  if (isTiny) return end > 0 ? 'just above 0' : 'just below 0'
  return formatPoints(end)
}
