import { fitPosterior } from '../../src/learning/fit-posterior.js'
import { sigmoid } from '../../src/learning/logistic.js'
import { evidence, TODAY } from './_evidence.js'

describe('fitPosterior', () => {
  it('finds the reply rate of much evidence', () => {
    const rows = [evidence({ sent: 50_000, replied: 15_000 })]
    const { mean, effective } = fitPosterior(rows, { today: TODAY })
    // Its tone, its style and both together: all parameters that the opener has.
    expect(sigmoid(mean[0]! + mean[1]! + mean[6]! + mean[11]!)).toBeCloseTo(0.3, 3)
    expect(effective).toBeLessThan(50_000)
  })

  it('expects one reply for five openers without evidence', () => {
    const { mean } = fitPosterior([], { today: TODAY })
    expect(sigmoid(mean[0]!)).toBeCloseTo(0.2, 10)
    expect(Array.from(mean.subarray(1))).toEqual(Array(mean.length - 1).fill(0))
  })

  it('does not read openers whose attribution window is open', () => {
    const rows = [evidence({ day: TODAY - 3, sent: 100 }), evidence({ sent: 10 })]
    expect(fitPosterior(rows, { today: TODAY }).sent).toBe(10)
  })
})
