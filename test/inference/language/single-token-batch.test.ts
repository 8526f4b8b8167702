import { hasSingleTokenBatch } from '../../../src/inference/language/single-token-batch.js'

/** Sequences of 300 tokens with these numbers of tokens to evaluate. */
const long = (...tokens: number[]) => tokens.map((count) => ({ tokens: count, length: 300 }))

describe('hasSingleTokenBatch', () => {
  it.each([
    ['the only token of a round', long(0, 1, 0)],
    ['tokens with a gap between them', long(1, 0, 1)],
    ['a token after a gap', long(1, 1, 0, 1)],
    ['the rest of two tokens beside one', long(2, 1)],
    ['the rest of three unequal parts', long(5, 4, 4)],
  ])('is true for %s', (_, parts) => {
    expect(hasSingleTokenBatch(parts)).toBe(true)
  })

  it.each([
    ['adjacent sequences', long(1, 1, 1)],
    ['a rest of several tokens', long(3, 1)],
    ['a short sequence', [{ tokens: 1, length: 256 }]],
    ['a round without tokens', long(0, 0)],
  ])('is false for %s', (_, parts) => {
    expect(hasSingleTokenBatch(parts)).toBe(false)
  })
})
