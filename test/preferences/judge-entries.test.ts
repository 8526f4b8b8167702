import { describe, expect, it } from '@jest/globals'
import type { Candidate } from '../../src/preferences/collect-entries.js'
import { judgeEntries } from '../../src/preferences/judge-entries.js'
import type { EntrySigns, LearntEntries } from '../../src/preferences/learnt-entries.js'

/** As likely as it fits. */
const learnt: LearntEntries = { fitsOf: () => [], probabilityOf: (_, { fit }) => fit }
const noSigns: EntrySigns = { read: 0, known: 0, fit: 0, bio: 0, photos: 0, shared: 0 }

function candidate(
  value: string,
  signs: Partial<EntrySigns>,
  rest: Partial<Omit<Candidate, 'signs'>> = {},
): Candidate {
  return {
    kind: 'interest',
    value,
    embedding: Float32Array.of(0, 0),
    signs: { ...noSigns, ...signs },
    isNamed: false,
    found: [],
    nearest: { source: 'bio', confidence: 1 },
    ...rest,
  }
}
const judge = (candidates: Candidate[], by: LearntEntries | undefined = learnt) =>
  judgeEntries(candidates, by, (cosine) => 10 * cosine)
const valuesOf = (evidence: { value: string }[]) => evidence.map(({ value }) => value)

describe('the judgement of entries by what was learnt', () => {
  it('tells what is likely and supported, surest first', () => {
    const told = judge([
      candidate('chess', { fit: 0.5, bio: 3 }),
      candidate('opera', { fit: 0.6, photos: 3 }),
      candidate('tax law', { fit: 0.1, bio: 3 }),
    ])
    expect(valuesOf(told)).toEqual(['opera', 'chess'])
  })

  it('leaves out what nothing in the profile is near, unless it is clear', () => {
    const told = judge([
      candidate('early riser', { fit: 0.6 }, { kind: 'lifestyle' }),
      candidate('night owl', { fit: 0.8 }, { kind: 'lifestyle' }),
      candidate('homebody', { fit: 0.6, shared: 1 }, { kind: 'lifestyle' }),
    ])
    expect(valuesOf(told)).toEqual(['night owl', 'homebody'])
  })

  it('tells what shares a word with the profile or the vocabulary finds though it is less likely', () => {
    const found = [
      { kind: 'interest', value: 'cats', source: 'photo', photo: 0, confidence: 0.9 },
    ] as const
    const told = judge([
      candidate('climbing', { fit: 0.35, shared: 1 }),
      candidate('cats', { fit: 0.35, photos: 5 }, { found }),
      candidate('opera', { fit: 0.35, bio: 3 }),
    ])
    expect(valuesOf(told)).toEqual(['climbing', 'cats'])
  })

  it('says a thing once, in the likeliest words', () => {
    const told = judge([
      candidate('films', { fit: 0.5, bio: 3 }, { embedding: Float32Array.of(1, 0) }),
      candidate('cinema', { fit: 0.6, bio: 3 }, { embedding: Float32Array.of(0.8, 0.6) }),
      candidate('rowing', { fit: 0.4, bio: 3 }, { embedding: Float32Array.of(0.6, -0.8) }),
    ])
    expect(valuesOf(told)).toEqual(['cinema', 'rowing'])
  })

  it('is no surer than the photo is', () => {
    const found = [
      { kind: 'interest', value: 'cats', source: 'photo', photo: 0, confidence: 0.4 },
      { kind: 'interest', value: 'cats', source: 'photo', photo: 2, confidence: 0.99 },
    ] as const
    const told = judge([candidate('cats', { fit: 0.8, photos: 5 }, { found })])
    expect(told.map(({ photo, confidence }) => [photo, confidence])).toEqual([
      [2, 0.8],
      [0, 0.4],
    ])
  })
})

describe('the judgement of entries where nothing was learnt', () => {
  it('tells what the vocabulary found, what is named, and what the bio comes near to', () => {
    const found = [
      { kind: 'interest', value: 'cats', source: 'photo', photo: 0, confidence: 0.6 },
    ] as const
    const told = judgeEntries(
      [
        candidate('cats', {}, { found }),
        candidate('sourdough', { read: 1 }, { isNamed: true }),
        candidate('baking', { read: 1, bio: 3 }),
        candidate('skydiving', { read: 1, bio: 0.5, photos: 3 }),
      ],
      undefined,
      (cosine) => cosine,
    )
    expect(told.map(({ value, confidence }) => [value, confidence])).toEqual([
      ['sourdough', 0.95],
      ['cats', 0.6],
      ['baking', 0.6],
    ])
  })
})
