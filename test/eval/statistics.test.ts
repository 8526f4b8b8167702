import { describe, expect, it } from '@jest/globals'
import { computeShare } from '../../src/tools/eval/metrics.js'
import {
  auc,
  calibrationError,
  reliabilityBins,
  spearman,
} from '../../src/tools/statistics/agreement.js'
import { bootstrapInterval } from '../../src/tools/statistics/bootstrap.js'
import { median, quantile } from '../../src/tools/statistics/quantile.js'
import { fitLogistic } from '../../src/tools/statistics/logistic-regression.js'

describe('statistics', () => {
  it('correlates ranks, with ties at their mean rank', () => {
    expect(spearman([1, 2, 3], [10, 100, 1_000])).toBeCloseTo(1)
    expect(spearman([1, 2, 3], [3, 2, 1])).toBeCloseTo(-1)
    expect(spearman([1, 2, 2, 3], [1, 3, 2, 4])).toBeCloseTo(0.9487, 4)
  })

  it('computes the area under the ROC curve, with ties counted half', () => {
    expect(auc([0.1, 0.4, 0.35, 0.8], [false, false, true, true])).toBeCloseTo(0.75)
    expect(auc([0.5, 0.5], [true, false])).toBeCloseTo(0.5)
    expect(auc([0.5, 0.6], [true, true])).toBeNaN()
  })

  it('weights calibration bins by their size', () => {
    expect(calibrationError([0.1, 0.1, 0.9], [0, 0.2, 0.6])).toBeCloseTo(0.1)
    expect(reliabilityBins([1], [0.5])).toEqual([{ predicted: 1, observed: 0.5, n: 1 }])
  })

  it('computes the median and nearest-rank quantiles', () => {
    expect(median([3, 1, 2])).toBe(2)
    expect(median([4, 1, 3, 2])).toBe(2.5)
    expect(median([])).toBeNaN()
    expect(quantile([4, 1, 3, 2], 0.95)).toBe(4)
  })

  it('reproduces a bootstrap interval from its seed', () => {
    const rows = Array.from({ length: 50 }, (_, i) => i)
    const meanOf = (some: readonly number[]) => some.reduce((a, b) => a + b, 0) / some.length
    const interval = bootstrapInterval(rows, meanOf, 7)!
    expect(interval).toEqual(bootstrapInterval(rows, meanOf, 7))
    expect(interval.low).toBeLessThan(24.5)
    expect(interval.high).toBeGreaterThan(24.5)
    expect(bootstrapInterval([1], meanOf, 7)).toBeUndefined()
  })

  it('resamples rows of one group together', () => {
    const rows = Array.from({ length: 90 }, (_, i) => ({ answer: i % 30, isRight: i % 3 === 0 }))
    const sample = { rows, holds: (row: (typeof rows)[number]) => row.isRight, seed: 7 }
    const alone = computeShare('right', 'right', sample)
    const together = computeShare('right', 'right', { ...sample, groupOf: ({ answer }) => answer })
    const [narrow, wide] = [alone, together].map(({ interval }) => interval!.high - interval!.low)
    // Three equal rows a group know as much as one.
    expect(wide! / narrow!).toBeCloseTo(Math.sqrt(3), 0)
    expect(together).toMatchObject({ value: 1 / 3, n: 90 })
  })

  it('fits a logistic regression to the feature that separates the classes', () => {
    const rows = [
      [0, 5],
      [1, 4],
      [0, 3],
      [1, 2],
    ]
    const { bias, weights } = fitLogistic(
      rows,
      rows.map(([first]) => first!),
      0.01,
    )
    expect(weights[0]).toBeGreaterThan(Math.abs(weights[1]!))
    expect(bias + weights[0]! * 0 + weights[1]! * 4).toBeLessThan(0)
  })

  it('fits the log-odds of shares exactly where nothing shrinks them', () => {
    const { bias, weights } = fitLogistic([[0], [0], [10], [10]], [0.2, 0.4, 0.9, 0.7], 1e-12)
    expect(bias).toBeCloseTo(Math.log(0.3 / 0.7))
    expect(bias + 10 * weights[0]!).toBeCloseTo(Math.log(0.8 / 0.2))
  })
})
