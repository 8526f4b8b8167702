import { describe, expect, it } from '@jest/globals'
import { cosine } from '../../src/text/vectors.js'

describe('the dot product of two embeddings', () => {
  it.each([0, 1, 3, 4, 7, 512])('covers all of %i dimensions', (length) => {
    const left = Float32Array.from({ length }, (_, i) => i + 1)
    const right = Float32Array.from({ length }, () => 2)
    expect(cosine(left, right)).toBe(length * (length + 1))
  })
})
