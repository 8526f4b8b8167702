import { describe, expect, it } from '@jest/globals'
import { startUpCall } from '../../src/inference/inference-call.js'
import type { ProfilePair } from '../../src/inference/encoder/vision.js'
import { createPairScorer } from '../../src/match/pair-scorer.js'
import type { PersonFacts } from '../../src/match/person.js'

const call = startUpCall()
const categories = {
  shared_hobbies: 0,
  lifestyle_fit: 0,
  similar_goals: 0,
  complementary_traits: 0,
  aesthetic_alignment: 0,
}

/** Records the pairs that it scores; the longer the profiles, the better the match. */
function createRecordingModel() {
  const scored: ProfilePair[] = []
  let revision = 'first'
  return {
    scored,
    changeRevision: () => (revision = 'second'),
    revision: () => revision,
    scorePairs: async (pairs: readonly ProfilePair[]) => {
      scored.push(...pairs)
      return pairs.map((pair) => ({ compatibility: pair.join('').length, categories }))
    },
  }
}

const person = (bio: string): PersonFacts => ({
  bio,
  interests: ['sailing'],
  lifestyle: [],
  photoTags: ['harbour'],
  photos: [],
})

describe('the pair scorer', () => {
  it('scores two people once, in whichever order they come', async () => {
    const model = createRecordingModel()
    const scorer = createPairScorer(model)
    const [a, b] = [person('I mend boats.'), person('I sail them.')]
    const first = await scorer.score([a, b], call)
    expect(await scorer.score([b, a], call)).toEqual(first)
    expect(model.scored).toHaveLength(1)
    await scorer.score([a, person('I sail no more.')], call)
    expect(model.scored).toHaveLength(2)
  })

  it('scores them again with another model revision', async () => {
    const model = createRecordingModel()
    const scorer = createPairScorer(model)
    const facts = [person('I mend boats.'), person('I sail them.')] as const
    await scorer.score(facts, call)
    model.changeRevision()
    await scorer.score(facts, call)
    expect(model.scored).toHaveLength(2)
  })

  it('measures the contribution of each part of the profiles', async () => {
    const scorer = createPairScorer(createRecordingModel())
    const parts = await scorer.measureContributions(
      [person('I mend boats.'), person('I sail.')],
      call,
    )
    expect(parts.map(({ part }) => part)).toEqual(['interests', 'lifestyle', 'photos', 'bio'])
    expect(parts.find(({ part }) => part === 'lifestyle')?.contribution).toBe(0)
    expect(parts.find(({ part }) => part === 'bio')?.contribution).toBe(
      ' | I mend boats.'.length + ' | I sail.'.length,
    )
  })
})
