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
  /** Middle of the stretch. */
  sent: number
  mean: number
  low: number
  high: number
}

const CURVE_STRETCH = 2_500

/** The share of the way by openers sent: that of all seeds together, and the range of the middle 80 % of seeds. */
export function curveOf(summarized: Summarized, name: PolicyName): CurvePoint[] {
  const { comparison, scenario } = summarized
  return Array.from({ length: Math.floor(scenario.total / CURVE_STRETCH) }, (_, i) => {
    const stretch = { from: i * CURVE_STRETCH, to: (i + 1) * CURVE_STRETCH }
    const period = periodOf(scenario, stretch)
    const uniform = ratesOf(comparison, 'uniform', period)
    const oracle = ratesOf(comparison, 'oracle', period)
    const shares = ratesOf(comparison, name, stretch).map(
      (rate, seed) => (rate - uniform[seed]!) / (oracle[seed]! - uniform[seed]!),
    )
    return {
      sent: stretch.from + CURVE_STRETCH / 2,
      mean: shareOfWay(summarized, { name, stretch }).share,
      low: quantile(shares, 0.1),
      high: quantile(shares, 0.9),
    }
  })
}
