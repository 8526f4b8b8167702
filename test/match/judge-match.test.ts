import { describe, expect, it } from '@jest/globals'
import { startUpCall } from '../../src/inference/call.js'
import type { ProfilePair } from '../../src/inference/encoder/vision.js'
import { createMatchJudge } from '../../src/match/judge-match.js'
import type { PersonFacts } from '../../src/match/person.js'

const call = startUpCall()
const categories = {
  shared_hobbies: 0,
  lifestyle_fit: 0,
  similar_goals: 0,
  complementary_traits: 0,
  aesthetic_alignment: 0,
}

/** Counts what it is asked, and takes the shorter profiles for the worse match. */
function countingModel() {
  const asked: ProfilePair[] = []
  let revision = 'first'
  return {
    asked,
    swap: () => (revision = 'second'),
    revision: () => revision,
    judgePairs: async (pairs: readonly ProfilePair[]) => {
      asked.push(...pairs)
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

describe('what the match model is asked', () => {
  it('is asked once of the same two people, whichever comes first', async () => {
    const model = countingModel()
    const judge = createMatchJudge(model)
    const [a, b] = [person('I mend boats.'), person('I sail them.')]
    const first = await judge.judge([a, b], call)
    expect(await judge.judge([b, a], call)).toEqual(first)
    expect(model.asked).toHaveLength(1)
    await judge.judge([a, person('I sail no more.')], call)
    expect(model.asked).toHaveLength(2)
  })

  it('is asked again of another model', async () => {
    const model = countingModel()
    const judge = createMatchJudge(model)
    const facts = [person('I mend boats.'), person('I sail them.')] as const
    await judge.judge(facts, call)
    model.swap()
    await judge.judge(facts, call)
    expect(model.asked).toHaveLength(2)
  })

  it('tells what each part of two profiles carries', async () => {
    const judge = createMatchJudge(countingModel())
    const parts = await judge.weighParts([person('I mend boats.'), person('I sail.')], call)
    expect(parts.map(({ part }) => part)).toEqual(['interests', 'lifestyle', 'photos', 'bio'])
    expect(parts.find(({ part }) => part === 'lifestyle')?.contribution).toBe(0)
    expect(parts.find(({ part }) => part === 'bio')?.contribution).toBe(
      ' | I mend boats.'.length + ' | I sail.'.length,
    )
  })
})
