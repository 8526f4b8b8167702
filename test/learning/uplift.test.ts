import { measureUplift, measureUpliftOnce } from '../../src/learning/uplift.js'
import { bucket } from './_evidence.js'

/** Twenty buckets of each arm with twenty openers each; half of them are two replies below the average, half above. */
const ROWS = Array.from({ length: 20 }, (_, i) => {
  const difference = i % 2 === 0 ? 2 : -2
  return [
    bucket({ arm: 'control', bucket: i, sent: 20, replied: 4 + difference }),
    bucket({ arm: 'learned', bucket: 100 + i, sent: 20, replied: 6 + difference }),
  ]
}).flat()

describe('the uplift', () => {
  it('is the difference of the reply rates, with the interval that a hand computation gives', () => {
    const { learned, control, difference } = measureUpliftOnce(ROWS)
    expect(learned).toEqual({ sent: 400, replied: 120 })
    expect(control).toEqual({ sent: 400, replied: 80 })
    expect(difference!.value).toBeCloseTo(0.1, 12)
    // Variance of each arm 20 / 19 · 20 · 2² / 400² = 0.00052632; t(19) = 2.09302; 2.09302 · √(2 · 0.00052632).
    expect(difference!.high - difference!.value).toBeCloseTo(0.067907, 5)
    expect(difference!.value - difference!.low).toBeCloseTo(0.067907, 5)
  })

  it('has a wider interval where it may be read at any time', () => {
    const { difference } = measureUplift(ROWS)
    // V = 2 · 0.00052632 · (2.09302 / 1.95996)² = 0.0012004, T = 0.03²:
    // √(V (V + T) / T · (2 ln 20 + ln((V + T) / V))) = 0.13546.
    expect(difference!.high - difference!.value).toBeCloseTo(0.13546, 4)
  })

  it('adds the days of a bucket before it looks at their spread', () => {
    const halves = ROWS.flatMap((row) => [
      { ...row, day: row.day - 1, sent: 15, replied: row.replied },
      { ...row, sent: 5, replied: 0 },
    ])
    expect(measureUplift(halves)).toEqual(measureUplift(ROWS))
  })

  it('has no interval with fewer than twenty buckets of people in an arm', () => {
    const { control, difference } = measureUplift(
      ROWS.filter((row) => row.arm === 'learned' || row.bucket > 0),
    )
    expect(control.sent).toBe(380)
    expect(difference).toBeUndefined()
  })

  it('has no interval with fewer than two hundred openers in an arm', () => {
    const rows = ROWS.map((row) => (row.arm === 'control' ? { ...row, sent: 9, replied: 1 } : row))
    expect(measureUplift(rows).difference).toBeUndefined()
  })

  it('has no interval where no reply was ever reported', () => {
    const rows = ROWS.map((row) => ({ ...row, replied: 0 }))
    expect(measureUplift(rows).difference).toBeUndefined()
  })

  it('counts nothing without evidence', () => {
    const nothing = { sent: 0, replied: 0 }
    expect(measureUplift([])).toEqual({ learned: nothing, control: nothing, difference: undefined })
  })
})
