import { fitPosterior } from '../../src/learning/fit-posterior.js'
import { sigmoid, softplus } from '../../src/learning/logistic.js'
import { styleFeatures } from '../../src/learning/opener-features.js'
import { deviationOf, projectPosterior } from '../../src/learning/project-posterior.js'
import { evidence, TODAY } from './_evidence.js'

const WITHOUT_FADING = { days: Infinity, openers: Infinity }
/** Prior deviations of the intercept, the tone, the style and both together, which add up to the log-odds of one style. */
const PRIOR_VARIANCE = 1.5 ** 2 + 0.3 ** 2 + 0.3 ** 2 + 0.25 ** 2
const PRIOR_MEAN = Math.log(0.2 / 0.8)

/** Moments of the log-odds of one style by integration over a fine grid. */
function integrate(sent: number, replied: number) {
  const grid = Array.from({ length: 200_001 }, (_, i) => -10 + i / 10_000)
  const logDensities = grid.map(
    (x) => replied * x - sent * softplus(x) - (x - PRIOR_MEAN) ** 2 / (2 * PRIOR_VARIANCE),
  )
  const highest = logDensities.reduce((most, value) => Math.max(most, value), -Infinity)
  const weights = logDensities.map((value) => Math.exp(value - highest))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const mean = grid.reduce((sum, x, i) => sum + weights[i]! * x, 0) / total
  const variance = grid.reduce((sum, x, i) => sum + weights[i]! * (x - mean) ** 2, 0) / total
  return { mode: grid[logDensities.indexOf(highest)]!, mean, deviation: Math.sqrt(variance) }
}

describe('fitPosterior', () => {
  it.each([
    [200, 50],
    [2_000, 300],
  ])('agrees with numerical integration after %d openers and %d replies', (sent, replied) => {
    const posterior = fitPosterior([evidence({ sent, replied })], {
      today: TODAY,
      halfLives: WITHOUT_FADING,
    })
    const style = projectPosterior(posterior, [styleFeatures('playful', 'open_question')])
    const exact = integrate(sent, replied)
    // Half a step of the grid.
    expect(Math.abs(style.mean[0]! - exact.mode)).toBeLessThan(5.1e-5)
    // The error of a Laplace approximation falls with the number of openers.
    expect(Math.abs(style.mean[0]! - exact.mean)).toBeLessThan(3 / sent)
    expect(Math.abs(deviationOf(style, 0) / exact.deviation - 1)).toBeLessThan(3 / sent)
  })

  it('expects one reply for five openers without evidence', () => {
    const { mean, effective } = fitPosterior([], { today: TODAY })
    expect(sigmoid(mean[0]!)).toBeCloseTo(0.2, 10)
    expect(Array.from(mean.subarray(1))).toEqual(Array(mean.length - 1).fill(0))
    expect(effective).toBe(0)
  })

  it('does not read openers whose attribution window is open', () => {
    const rows = [evidence({ day: TODAY - 3, sent: 100 }), evidence({ sent: 10 })]
    expect(fitPosterior(rows, { today: TODAY }).sent).toBe(10)
  })

  it('starts from the mean of a prior and leaves it with evidence', () => {
    const prior = { mean: fitPosterior([], { today: TODAY }).mean.slice(), evidence: 500 }
    prior.mean[0] = 0
    const rateOf = (sent: number) => {
      const rows = [evidence({ sent, replied: sent / 10 })]
      const posterior = fitPosterior(rows, { today: TODAY, prior })
      const features = [styleFeatures('playful', 'open_question')]
      return sigmoid(projectPosterior(posterior, features).mean[0]!)
    }
    expect(rateOf(0)).toBeCloseTo(0.5, 10)
    expect(rateOf(20)).toBeLessThan(0.3)
    expect(rateOf(20_000)).toBeCloseTo(0.1, 3)
  })
})
