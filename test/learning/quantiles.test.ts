import { studentT95 } from '../../src/learning/quantiles.js'

describe('studentT95', () => {
  // Source: printed tables of Student's t, two-sided 5 %.
  it.each([
    [4, 2.7764],
    [19, 2.093],
    [49, 2.0096],
    [449, 1.9653],
  ])('is the tabulated quantile for %d degrees of freedom', (degreesOfFreedom, quantile) => {
    const tolerance = degreesOfFreedom < 10 ? 0.01 : 0.0001
    expect(Math.abs(studentT95(degreesOfFreedom) - quantile)).toBeLessThan(tolerance)
  })
})
