import { mean } from '../../../statistics/agreement.js'
import { quantile } from '../../../statistics/quantile.js'
import type { Scenario } from '../scenarios.js'
import type { OffPolicyRow } from '../simulate-off-policy.js'
import type { PoolingRow } from '../simulate-pooling.js'
import type { UpliftCoverage } from '../simulate-uplift.js'
import {
  lowestDifferences,
  ratesOf,
  shareOfWay,
  type Stretch,
  type Summarized,
} from '../summarize.js'

type Row = Record<string, string | number>

/** Where each policy is between uniform choice and the oracle, at a few moments. */
export function tabulateShares(summarized: Summarized): Row[] {
  const { scenario } = summarized
  return scenario.policies
    .filter((name) => name !== 'uniform' && name !== 'oracle')
    .map((name) => ({
      policy: name,
      ...Object.fromEntries(
        stretchesOf(scenario).map(({ from, to }) => {
          const { share, standardError } = shareOfWay(summarized, { name, stretch: { from, to } })
          return [
            `${count(from)} to ${count(to)}`,
            `${percent(share)} ± ${percent(2 * standardError)}`,
          ]
        }),
      ),
    }))
}

/** One line about each scenario. */
export function tabulateScenario(summarized: Summarized): Row {
  const { scenario, comparison } = summarized
  const whole = { from: 0, to: scenario.total }
  const last = stretchesOf(scenario).at(-1)!
  const lowest = lowestDifferences(summarized)
  return {
    scenario: scenario.title,
    uniform: percent(mean(ratesOf(comparison, 'uniform', whole)), 2),
    oracle: percent(mean(ratesOf(comparison, 'oracle', whole)), 2),
    'learned, at the end': percent(mean(ratesOf(comparison, 'learned', last)), 2),
    'with the control group': percent(mean(ratesOf(comparison, 'learned', last, 'everybody')), 2),
    'lowest over 5,000 against uniform, mean': points(mean(lowest)),
    'lowest in any run': points(quantile(lowest, 0)),
  }
}

/** Each moment is a stretch of as many openers as are needed to average over, from the moment on. */
const MOMENTS = [5_000, 10_000, 20_000, 50_000]
const MOMENTS_AFTER_CHANGE = [-5_000, 0, 2_500, 5_000, 10_000, 20_000]
const STRETCH = 2_500

function stretchesOf({ total, changesAt }: Scenario): Stretch[] {
  const moments =
    changesAt === undefined ? MOMENTS : MOMENTS_AFTER_CHANGE.map((after) => changesAt + after)
  return moments.map((from) => ({ from, to: from + STRETCH })).filter(({ to }) => to <= total)
}

export function tabulateUplift(rows: readonly UpliftCoverage[]): Row[] {
  return rows.map(({ scenario, runs, onceCovered, onceWrong, sequentialWrong }) => ({
    scenario,
    runs,
    ...Object.fromEntries(
      Object.entries(onceCovered).map(([day, share]) => [
        `ordinary, day ${day}: right`,
        percent(share, 1),
      ]),
    ),
    'ordinary, read daily: ever wrong': percent(onceWrong, 1),
    'sequential, read daily: ever wrong': percent(sequentialWrong, 1),
  }))
}

export function tabulateOffPolicy(rows: readonly OffPolicyRow[]): Row[] {
  return rows.map(({ target, estimator, runs, truth, bias, error, covered }) => ({
    'other policy': target,
    estimator,
    runs,
    truth: percent(truth, 2),
    bias: points(bias),
    'root mean square error': points(error),
    'interval right': percent(covered),
  }))
}

export function tabulatePooling(rows: readonly PoolingRow[]): Row[] {
  return rows.map(({ prior, shares }) => ({
    prior,
    ...Object.fromEntries(
      shares.map(({ from, to, share }) => [`${count(from)} to ${count(to)}`, percent(share)]),
    ),
  }))
}

function count(value: number): string {
  return value.toLocaleString('en')
}

function percent(share: number, decimals = 0): string {
  return `${(100 * share).toFixed(decimals)} %`
}

function points(difference: number): string {
  return `${(100 * difference).toFixed(2)} points`
}
