import { lengthBand, scoreBand } from '../../src/events/evidence-bands.js'
import {
  bandTraits,
  cellFeatures,
  DIMENSION,
  parameterIndex,
  valueAt,
} from '../../src/learning/opener-features.js'
import { evidence } from './_evidence.js'

describe('the bands of evidence', () => {
  it.each([
    [0, 0],
    [49, 0],
    [50, 1],
    [69, 1],
    [70, 2],
    [500, 2],
  ])('put a length of %d into band %d', (length, band) => expect(lengthBand(length)).toBe(band))

  it.each([
    [null, 0],
    [0.1, 1],
    [0.6, 2],
    [0.75, 3],
    [0.8, 4],
    [0.99, 5],
  ])('put a score of %p into band %d', (score, band) => expect(scoreBand(score)).toBe(band))
})

describe('the features of an opener', () => {
  it('name its tone, its style, both together, and its traits', () => {
    const features = cellFeatures(
      evidence({
        tone: 'witty',
        style: 'confident_direct',
        isQuestion: true,
        detail: 'bio',
        lengthBand: 0,
        scoreBand: 5,
      }),
    )
    const present = [
      0,
      parameterIndex.tone('witty'),
      parameterIndex.style('confident_direct'),
      parameterIndex.pair('witty', 'confident_direct'),
      parameterIndex.trait('question'),
      parameterIndex.trait('bio'),
      parameterIndex.trait('short'),
      parameterIndex.trait('score'),
    ]
    expect(features.indices).toEqual(present)
    expect(valueAt(features, parameterIndex.trait('score'))).toBe(2)
    expect(valueAt(features, parameterIndex.trait('long'))).toBe(0)
    expect(Math.max(...features.indices)).toBe(DIMENSION - 1)
  })

  it('leave out the score of a pack without a reranker', () => {
    const traits = bandTraits({ isQuestion: false, detail: 'none', length: 60, score: null })
    expect(cellFeatures({ ...evidence({}), ...traits }).indices).toHaveLength(4)
  })
})
