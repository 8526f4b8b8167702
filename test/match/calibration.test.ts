import { describe, expect, it } from '@jest/globals'
import { PLAIN, rankSignals, weighFeatures } from '../../src/match/calibration.js'
import calibration from '../../src/match/calibration.json' with { type: 'json' }
import { CATEGORIES } from '../../src/match/categories.js'
import { closenessOf } from '../../src/match/closeness.js'
import { measureFeatures } from '../../src/match/features.js'
import { GOALS } from '../../src/match/goals.js'
import type { Person } from '../../src/match/person.js'
import { measureTopics } from '../../src/match/topic-fits.js'
import { TRAIT_PAIRS } from '../../src/match/traits.js'

const nobody: Person = { interests: [], lifestyle: [], photoTags: [], sentences: [], photos: [] }
const keep = (cosine: number) => cosine

describe('the calibration of matches', () => {
  it('weighs every feature that is measured, and nothing else', () => {
    const features = measureFeatures(nobody, nobody, {
      fits: measureTopics(nobody, nobody, () => -Infinity),
      standardizeCentered: keep,
    })
    for (const category of CATEGORIES) {
      expect(Object.keys(calibration.categories[category].weights)).toEqual(Object.keys(features))
    }
    expect(Object.keys(features)).toEqual(expect.arrayContaining(GOALS.map(({ label }) => label)))
    expect(Object.keys(features)).toEqual(
      expect.arrayContaining(TRAIT_PAIRS.map(({ label }) => label)),
    )
  })

  it('takes what is typical for what profiles do not tell', () => {
    const unknown = weighFeatures({}, PLAIN)
    expect(unknown.confidence).toBeGreaterThan(0.4)
    expect(unknown.confidence).toBeLessThan(0.75)
    expect(unknown).toEqual(weighFeatures(calibration.typical, PLAIN))
  })

  it('scores near interests above far ones', () => {
    const confidence = (nearest: number, overall: number) =>
      weighFeatures({ 'interests, nearest': nearest, 'interests, overall': overall }, PLAIN)
        .confidence
    expect(confidence(5, 0.6)).toBeGreaterThan(confidence(1, 0.1))
  })

  it('ranks shared hobbies first for the same hobbies and little else in common', () => {
    const signals = CATEGORIES.map((category) => ({ category, strength: () => 0, evidence: [] }))
    const ranked = rankSignals(signals, { 'interests, nearest': 8, 'interests, overall': 0.9 })
    expect(ranked[0]?.category).toBe('shared_hobbies')
  })
})

describe('how near two lists are', () => {
  const east = Float32Array.of(1, 0)
  const north = Float32Array.of(0, 1)

  it('is the same both ways round', () => {
    const [left, right] = [[east, north], [north]]
    expect(closenessOf(left, right, keep)).toEqual(closenessOf(right, left, keep))
  })

  it('is 1 for the same terms, 0 for unrelated ones, and unknown without any', () => {
    expect(closenessOf([east], [east], keep)).toEqual({ nearest: 1, overall: 1 })
    expect(closenessOf([east], [north], keep)).toEqual({ nearest: 0, overall: 0 })
    expect(closenessOf([], [north], keep)).toBeUndefined()
  })
})
