import { describe, expect, it } from '@jest/globals'
import { loadOpenerGuidance } from '../../src/inference/language/opener-guidance.js'
import { scoreCandidate, extractFeatures, patternWeight } from '../../src/openers/reranker.js'
import { completeFacts } from '../../src/openers/opener-facts.js'
import { featureWeights } from './_feature-weights.js'

const FACTS = completeFacts({
  senderName: 'Sam',
  bio: 'Potter with a kiln in the shed. Three greyhounds, one sofa.',
  photoElements: ['tea bowl', 'greyhound'],
  likes: ['pottery'],
  senderLikes: ['baking'],
  commonGround: [],
  sharedInterests: [],
})
const { reranker } = await loadOpenerGuidance('models/smollm2-135m-openers/prompts')

const candidate = (prefill: string, continuation: string, mean = -0.5) => ({
  text: prefill + continuation,
  beginning: { pattern: 'unseen', text: prefill, end: '.' } as const,
  logprob: { mean, min: mean * 3 },
  facts: FACTS,
})
const score = (prefill: string, continuation: string, mean?: number) =>
  scoreCandidate(reranker!, candidate(prefill, continuation, mean))

describe('the reranker of the default pack', () => {
  it('prefers a complete beginning without a continuation', () => {
    const prefill = 'The greyhound stole the show'
    expect(score(prefill, '.')).toBeGreaterThan(score(prefill, ' for a whole day without a park.'))
  })

  it('prefers a detail to a story about the detail', () => {
    const prefill = "I'd watch a documentary about"
    const story = ' a kiln that never knows where it was before the shed.'
    expect(score(prefill, ' the kiln in the shed.')).toBeGreaterThan(score(prefill, story))
  })

  it('prefers tokens of high probability', () => {
    const prefill = 'Tell me about'
    expect(score(prefill, ' the kiln.', -0.2)).toBeGreaterThan(score(prefill, ' the kiln.', -1.8))
  })

  it('scores in (0, 1)', () => {
    for (const continuation of ['.', ' the kiln.', ' no kiln that never was.']) {
      const value = score('Hats off to', continuation)
      expect(value).toBeGreaterThan(0)
      expect(value).toBeLessThan(1)
    }
  })
})

it('gives less weight to beginnings that readers dislike, and no extra weight to those they like', () => {
  const model = (liked: number) => ({
    bias: 0,
    weights: featureWeights(),
    beginnings: { 'Liked….': liked, 'Disliked….': -liked },
  })
  const liking = { fitted: {}, sensible: model(0.5), sent: model(1) }
  expect(patternWeight(liking, 'Disliked….')).toBeCloseTo(Math.exp(-1.5))
  expect(patternWeight(liking, 'Liked….')).toBe(1)
  expect(patternWeight(liking, 'Unseen….')).toBe(1)
  expect(patternWeight(undefined, 'Liked….')).toBe(1)
})

it('distinguishes a tail from a continuation that completes the beginning', () => {
  const tail = extractFeatures(candidate('The greyhound stole the show', ' in the shed.'))
  const detail = extractFeatures(candidate('Tell me about', ' the kiln in the shed.'))
  expect([tail.isTail, tail.words, detail.isTail, detail.tail]).toEqual([1, 0, 0, 0])
  expect(tail.tail).toBeGreaterThan(0)
  expect(detail).toMatchObject({ quoted: 4, ownDetails: 2, isBare: 0 })
})
