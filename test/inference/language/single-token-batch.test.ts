import { hasSingleTokenBatch } from '../../../src/inference/language/single-token-batch.js'

/** Sequences of 300 tokens, of which these are evaluated. */
const long = (...tokens: number[]) => tokens.map((count) => ({ tokens: count, length: 300 }))

describe('a round with a token that llama.cpp computes alone', () => {
  it.each([
    ['the only one', long(0, 1, 0)],
    ['one with a gap before the next', long(1, 0, 1)],
    ['one beside a gap', long(1, 1, 0, 1)],
    ['what is left of two, beside one', long(2, 1)],
    ['the last of three unequal ones', long(5, 4, 4)],
  ])('has %s', (_, parts) => {
    expect(hasSingleTokenBatch(parts)).toBe(true)
  })

  it.each([
    ['where sequences follow on each other', long(1, 1, 1)],
    ['where several tokens of a sequence are left', long(3, 1)],
    ['where a sequence is short', [{ tokens: 1, length: 256 }]],
    ['where nothing is evaluated', long(0, 0)],
  ])('has none %s', (_, parts) => {
    expect(hasSingleTokenBatch(parts)).toBe(false)
  })
})
