import { describe, expect, it } from '@jest/globals'
import { formatMetric } from '../../src/tools/eval/report/format.js'

const metric = {
  name: 'f1',
  title: 'F1',
  unit: 'number' as const,
  n: 10,
  interval: undefined,
  target: undefined,
}

describe('a metric in the report', () => {
  it('shows enough digits to differ from a target that it narrowly misses', () => {
    expect(formatMetric({ ...metric, value: 0.5998, target: { min: 0.6 } })).toBe('0.5998')
    expect(formatMetric({ ...metric, value: 0.6, target: { min: 0.6 } })).toBe('0.600')
    expect(formatMetric({ ...metric, value: 0.59, target: { min: 0.6 } })).toBe('0.590')
    expect(formatMetric({ ...metric, unit: 'share', value: 0.0501, target: { max: 0.05 } })).toBe(
      '5.01 %',
    )
  })

  it('shows its interval, and a dash if there is no value', () => {
    const interval = { low: 0.5, high: 0.7 }
    expect(formatMetric({ ...metric, value: 0.6, interval })).toBe('0.600 [0.500, 0.700]')
    expect(formatMetric({ ...metric, value: null })).toBe('–')
  })
})
