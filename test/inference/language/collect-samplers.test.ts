import { describe, expect, it } from '@jest/globals'
import { createSamplerCollector } from '../../../src/inference/language/collect-samplers.js'

describe('createSamplerCollector', () => {
  it('collects garbage once every 64 samplers', () => {
    let collections = 0
    const count = createSamplerCollector(() => (collections += 1))
    for (let sampler = 1; sampler <= 63; sampler++) count()
    expect(collections).toBe(0)
    count()
    expect(collections).toBe(1)
    for (let sampler = 1; sampler <= 128; sampler++) count()
    expect(collections).toBe(3)
  })

  it('finds the garbage collector of this process', () => {
    const count = createSamplerCollector()
    for (let sampler = 1; sampler <= 64; sampler++) expect(count).not.toThrow()
  })
})
