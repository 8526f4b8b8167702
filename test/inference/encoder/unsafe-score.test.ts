import { toUnitNorm } from '../../../src/inference/encoder/unit-norm.js'
import { unsafeScore } from '../../../src/inference/encoder/unsafe-score.js'

describe('unsafeScore', () => {
  it('sums the probabilities of the unsafe classes', () => {
    const row = Float32Array.of(0.5, 0.25, 0.125, 0.125)

    expect(unsafeScore(row, { name: 'p', values: 'probabilities', unsafeIndices: [1, 3] })).toBe(
      0.375,
    )
  })

  it('converts logits to probabilities without overflow', () => {
    const output = { name: 'l', values: 'logits' as const, unsafeIndices: [1] }

    expect(unsafeScore(Float32Array.of(0, Math.log(3)), output)).toBeCloseTo(0.75, 6)
    expect(unsafeScore(Float32Array.of(0, 800), output)).toBeCloseTo(1, 6)
    expect(unsafeScore(Float32Array.of(800, 0), output)).toBeCloseTo(0, 6)
  })

  it('clamps rounding errors to 0 and 1', () => {
    const output = { name: 'p', values: 'probabilities' as const, unsafeIndices: [0, 1] }

    expect(unsafeScore(Float32Array.of(0.7, 0.3000001), output)).toBe(1)
    expect(unsafeScore(Float32Array.of(-1e-9, 0), output)).toBe(0)
  })

  it.each([
    ['a class that the model lacks', Float32Array.of(0.5, 0.5), [2]],
    ['NaN as output', Float32Array.of(NaN, NaN), [1]],
  ])('refuses %s', (_what, row, unsafeIndices) => {
    expect(() => unsafeScore(row, { name: 'p', values: 'probabilities', unsafeIndices })).toThrow(
      expect.objectContaining({ name: 'PackMismatchError' }),
    )
  })
})

describe('toUnitNorm', () => {
  it('scales a vector to unit norm', () => {
    expect([...toUnitNorm(Float32Array.of(3, 0, -4))]).toEqual([
      Math.fround(0.6),
      0,
      Math.fround(-0.8),
    ])
  })

  it.each([
    ['zero', Float32Array.of(0, 0)],
    ['not a number', Float32Array.of(1, NaN)],
    ['infinite', Float32Array.of(1, Infinity)],
  ])('refuses a vector that is %s', (_what, vector) => {
    expect(() => toUnitNorm(vector)).toThrow(RangeError)
  })
})
