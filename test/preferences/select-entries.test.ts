import { describe, expect, it } from '@jest/globals'
import type { Candidate } from '../../src/preferences/collect-entries.js'
import { selectEntries } from '../../src/preferences/select-entries.js'
import type { EntryFeatures, LearnedEntries } from '../../src/preferences/learned-entries.js'

/** The probability of an entry is its fit. */
const learned: LearnedEntries = { measureFits: () => [], predictProbability: (_, { fit }) => fit }
const noFeatures: EntryFeatures = { read: 0, known: 0, fit: 0, bio: 0, photos: 0, shared: 0 }

function candidate(
  value: string,
  features: Partial<EntryFeatures>,
  rest: Partial<Omit<Candidate, 'features'>> = {},
): Candidate {
  return {
    kind: 'interest',
    value,
    embedding: Float32Array.of(0, 0),
    features: { ...noFeatures, ...features },
    isNamed: false,
    found: [],
    nearest: { source: 'bio', confidence: 1 },
    ...rest,
  }
}
const select = (candidates: Candidate[], by: LearnedEntries | undefined = learned) =>
  selectEntries(candidates, by, (cosine) => 10 * cosine)
const valuesOf = (evidence: { value: string }[]) => evidence.map(({ value }) => value)

describe('the selection of entries with learned entries', () => {
  it('has those that are probable and supported, most probable first', () => {
    const selected = select([
      candidate('chess', { fit: 0.5, bio: 3 }),
      candidate('opera', { fit: 0.6, photos: 3 }),
      candidate('tax law', { fit: 0.1, bio: 3 }),
    ])
    expect(valuesOf(selected)).toEqual(['opera', 'chess'])
  })

  it('leaves out unsupported entries unless they are very probable', () => {
    const selected = select([
      candidate('early riser', { fit: 0.6 }, { kind: 'lifestyle' }),
      candidate('night owl', { fit: 0.8 }, { kind: 'lifestyle' }),
      candidate('homebody', { fit: 0.6, shared: 1 }, { kind: 'lifestyle' }),
    ])
    expect(valuesOf(selected)).toEqual(['night owl', 'homebody'])
  })

  it('accepts a lower probability for entries with a shared word or vocabulary evidence', () => {
    const found = [
      { kind: 'interest', value: 'cats', source: 'photo', photo: 0, confidence: 0.9 },
    ] as const
    const selected = select([
      candidate('climbing', { fit: 0.35, shared: 1 }),
      candidate('cats', { fit: 0.35, photos: 5 }, { found }),
      candidate('opera', { fit: 0.35, bio: 3 }),
    ])
    expect(valuesOf(selected)).toEqual(['climbing', 'cats'])
  })

  it('has the most probable of entries with the same meaning', () => {
    const selected = select([
      candidate('films', { fit: 0.5, bio: 3 }, { embedding: Float32Array.of(1, 0) }),
      candidate('cinema', { fit: 0.6, bio: 3 }, { embedding: Float32Array.of(0.8, 0.6) }),
      candidate('rowing', { fit: 0.4, bio: 3 }, { embedding: Float32Array.of(0.6, -0.8) }),
    ])
    expect(valuesOf(selected)).toEqual(['cinema', 'rowing'])
  })

  it('has at most the confidence of the photo', () => {
    const found = [
      { kind: 'interest', value: 'cats', source: 'photo', photo: 0, confidence: 0.4 },
      { kind: 'interest', value: 'cats', source: 'photo', photo: 2, confidence: 0.99 },
    ] as const
    const selected = select([candidate('cats', { fit: 0.8, photos: 5 }, { found })])
    expect(selected.map(({ photo, confidence }) => [photo, confidence])).toEqual([
      [2, 0.8],
      [0, 0.4],
    ])
  })
})

describe('the selection of entries without learned entries', () => {
  it('has what the vocabulary found, the bio names, or the bio supports', () => {
    const found = [
      { kind: 'interest', value: 'cats', source: 'photo', photo: 0, confidence: 0.6 },
    ] as const
    const selected = selectEntries(
      [
        candidate('cats', {}, { found }),
        candidate('sourdough', { read: 1 }, { isNamed: true }),
        candidate('baking', { read: 1, bio: 3 }),
        candidate('skydiving', { read: 1, bio: 0.5, photos: 3 }),
      ],
      undefined,
      (cosine) => cosine,
    )
    expect(selected.map(({ value, confidence }) => [value, confidence])).toEqual([
      ['sourdough', 0.95],
      ['cats', 0.6],
      ['baking', 0.6],
    ])
  })
})
