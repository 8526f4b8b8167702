import { mean } from '../../statistics/agreement.js'
import { quantile } from '../../statistics/quantile.js'
import { rateBetween, STEP, type Comparison, type RunCurves } from './compare-policies.js'
import type { PolicyName } from './policies.js'
import type { Scenario } from './scenarios.js'

type Group = keyof RunCurves

/** A stretch of a run, in openers sent. */
export interface Stretch {
  from: number
  to: number
}

/**
 * How far the reply rate of a policy is on the way from uniform choice to the oracle, over all seeds together: 1 is the
 * oracle. The rates of both are taken over the whole time with the same population.
 */
export function shareOfWay(
  { comparison, scenario }: Summarized,
  { name, stretch, group = 'learnedArm' }: { name: PolicyName; stretch: Stretch; group?: Group },
): { share: number; standardError: number } {
  const period = periodOf(scenario, stretch)
  const uniform = ratesOf(comparison, 'uniform', period)
  const gap = ratesOf(comparison, 'oracle', period).map((rate, i) => rate - uniform[i]!)
  const gain = ratesOf(comparison, name, stretch, group).map((rate, i) => rate - uniform[i]!)
  const share = mean(gain) / mean(gap)
  const residuals = gain.map((value, i) => (value - share * gap[i]!) / mean(gap))
  const n = gain.length
  const variance = residuals.reduce((sum, value) => sum + value ** 2, 0) / Math.max(1, n - 1)
  return { share, standardError: Math.sqrt(variance / n) }
}

export interface Summarized {
  comparison: Comparison
  scenario: Scenario
}

function periodOf({ total, changesAt }: Scenario, { from }: Stretch): Stretch {
  if (changesAt === undefined) return { from: 0, to: total }
  return from < changesAt ? { from: 0, to: changesAt } : { from: changesAt, to: total }
}

export function ratesOf(
  comparison: Comparison,
  name: PolicyName,
  { from, to }: Stretch,
  group: Group = 'learnedArm',
): number[] {
  return comparison.get(name)!.map((run) => rateBetween(run[group], from, to))
}

const WINDOW = 5_000

/** Lowest difference to uniform choice over any 5,000 openers in a row, the control group included: by seed. */
export function lowestDifferences({ comparison, scenario }: Summarized): number[] {
  return comparison.get('learned')!.map((run, i) => {
    const uniform = comparison.get('uniform')![i]!
    let lowest = Infinity
    for (let from = 0; from + WINDOW <= scenario.total; from += STEP) {
      const difference =
        rateBetween(run.everybody, from, from + WINDOW) -
        rateBetween(uniform.everybody, from, from + WINDOW)
      lowest = Math.min(lowest, difference)
    }
    return lowest
  })
}

export interface CurvePoint {
  sent: number
  mean: number
  low: number
  high: number
}

const SMOOTHED_STEPS = 4

/** Reply rate of the learned arm by openers sent: mean over seeds, and the range of the middle 80 %. */
export function curveOf({ comparison, scenario }: Summarized, name: PolicyName): CurvePoint[] {
  const width = SMOOTHED_STEPS * STEP
  return Array.from({ length: Math.floor(scenario.total / width) }, (_, i) => {
    const rates = ratesOf(comparison, name, { from: i * width, to: (i + 1) * width })
    return {
      sent: (i + 0.5) * width,
      mean: mean(rates),
      low: quantile(rates, 0.1),
      high: quantile(rates, 0.9),
    }
  })
}
