import { describe, expect, it } from '@jest/globals'
import { loadOpenerGuidance } from '../../src/inference/language/opener-guidance.js'
import { criticize, describeCandidate, weightOfPattern } from '../../src/openers/critic.js'
import { completeFacts } from '../../src/openers/opener-facts.js'

const FACTS = completeFacts({
  senderName: 'Sam',
  bio: 'Potter with a kiln in the shed. Three greyhounds, one sofa.',
  photoElements: ['tea bowl', 'greyhound'],
  likes: ['pottery'],
  senderLikes: ['baking'],
  commonGround: [],
  sharedInterests: [],
})
const { critic } = await loadOpenerGuidance('models/smollm2-135m-openers/prompts')

const candidate = (given: string, own: string, mean = -0.5) => ({
  text: given + own,
  beginning: { pattern: 'unseen', text: given, end: '.' } as const,
  certainty: { mean, least: mean * 3 },
  facts: FACTS,
})
const score = (given: string, own: string, mean?: number) =>
  criticize(critic!, candidate(given, own, mean))

describe('the critic of the default pack', () => {
  it('prefers nothing added to a whole sentence', () => {
    const given = 'The greyhound stole the show'
    expect(score(given, '.')).toBeGreaterThan(score(given, ' for a whole day without a park.'))
  })

  it('prefers a detail to a story about it', () => {
    const given = "I'd watch a documentary about"
    const story = ' a kiln that never knows where it was before the shed.'
    expect(score(given, ' the kiln in the shed.')).toBeGreaterThan(score(given, story))
  })

  it('prefers what the model was sure of', () => {
    const given = 'Tell me about'
    expect(score(given, ' the kiln.', -0.2)).toBeGreaterThan(score(given, ' the kiln.', -1.8))
  })

  it('expects a grade between the worst and the best', () => {
    const all = ['.', ' the kiln.', ' no kiln that never was.'].map((own) =>
      score('Hats off to', own),
    )
    for (const value of all) {
      expect(value).toBeGreaterThan(0)
      expect(value).toBeLessThan(1)
    }
  })
})

it('gives a beginning less weight that readers liked less, and none more than others', () => {
  const judge = (liked: number) => ({
    bias: 0,
    weights: {},
    beginnings: { 'Liked….': liked, 'Disliked….': -liked },
  })
  const two = { fitted: {}, sensible: judge(0.5), sent: judge(1) }
  expect(weightOfPattern(two, 'Disliked….')).toBeCloseTo(Math.exp(-1.5))
  expect(weightOfPattern(two, 'Liked….')).toBe(1)
  expect(weightOfPattern(two, 'Unseen….')).toBe(1)
  expect(weightOfPattern(undefined, 'Liked….')).toBe(1)
})

it('tells a tail from what a beginning asks for', () => {
  const tail = describeCandidate(candidate('The greyhound stole the show', ' in the shed.'))
  const detail = describeCandidate(candidate('Tell me about', ' the kiln in the shed.'))
  expect([tail.isTail, tail.words, detail.isTail, detail.tail]).toEqual([1, 0, 0, 0])
  expect(tail.tail).toBeGreaterThan(0)
  expect(detail).toMatchObject({ quoted: 4, ownDetails: 2, isBare: 0 })
})
