import { describe, expect, it } from '@jest/globals'
import { startUpCall } from '../../src/inference/inference-call.js'
import { collectEntries } from '../../src/preferences/collect-entries.js'
import {
  createLearnedEntries,
  loadLearnedEntries,
  type EntryDirections,
  type FeatureWeights,
} from '../../src/preferences/learned-entries.js'
import fitted from '../../src/preferences/learned-entries.json' with { type: 'json' }
import { embedProfileTerms } from '../../src/preferences/profile-terms.js'

/** A space of two directions: boats, and everything else. */
const embed = async (texts: readonly string[]) =>
  texts.map((text) => (/boat|sail/.test(text) ? Float32Array.of(1, 0) : Float32Array.of(0, 1)))
const similarity = {
  embed,
  center: (embedding: Float32Array) => embedding,
  standardize: (cosine: number) => 6 * cosine,
  standardizeCentered: (cosine: number) => cosine,
}
const entry = (name: string, sentences: number[], tags: number[]) => ({
  name,
  bias: 0.1,
  sentences,
  tags,
})
const directions: EntryDirections = {
  probe: { text: 'a probe', embedding: [0, 1] },
  entries: {
    interest: [entry('sailing', [100, 0], [200, 0]), entry('chess', [0, 100], [0, 50])],
    lifestyle: [entry('boat owner', [40, 0], [40, 0])],
  },
}
const weights: FeatureWeights = {
  interest: { bias: -1, weights: { read: 1, known: 0, fit: 2, bio: 0, photos: 0, shared: 0 } },
  lifestyle: { bias: 0, weights: { read: 0, known: 0, fit: 0, bio: 0, photos: 0, shared: 0 } },
}
const load = () => createLearnedEntries(directions, weights, similarity, startUpCall())
const tag = (name: string) => ({
  definition: { tag: name, group: 'other', prompts: [], interests: [], lifestyle: [] },
  probability: 1,
  isAsserted: true,
})

describe('learned entries', () => {
  it('fit a profile by its sentences and its tags', async () => {
    const tags = [[tag('a boat')]]
    const terms = await embedProfileTerms(
      { bio: 'I work nights.', tags },
      similarity,
      startUpCall(),
    )
    const fits = (await load()).measureFits('interest', terms)
    expect(fits.map(({ value, fit }) => [value, fit.toFixed(2)])).toEqual([
      ['sailing', '2.46'],
      ['chess', '1.51'],
    ])
  })

  it('gain little from a second similar term', async () => {
    const fitOf = async (bio: string) => {
      const terms = await embedProfileTerms({ bio, tags: [] }, similarity, startUpCall())
      return (await load()).measureFits('lifestyle', terms)[0]!.fit
    }
    const [never, once, twice] = [
      await fitOf(''),
      await fitOf('I sail.'),
      await fitOf('I sail. A boat is home.'),
    ]
    expect(once - never).toBeGreaterThan(0.5)
    expect(twice - once).toBeLessThan((once - never) / 2)
  })

  it('get their probability from their features', async () => {
    const own = { read: 1, known: 1, fit: 0.5, bio: 9, photos: 9, shared: 1 }
    const learned = await load()
    expect(learned.predictProbability('interest', own)).toBeCloseTo(1 / (1 + Math.exp(-1)))
    expect(learned.predictProbability('lifestyle', own)).toBeCloseTo(0.5)
  })

  it('are not loaded in another text space', async () => {
    expect(await loadLearnedEntries(similarity, startUpCall())).toBeUndefined()
  })

  it('have unique names and both directions', () => {
    for (const entries of Object.values(fitted.entries)) {
      expect(new Set(entries.map(({ name }) => name)).size).toBe(entries.length)
      for (const { sentences, tags } of entries) {
        expect(sentences).toHaveLength(fitted.probe.embedding.length)
        expect(tags).toHaveLength(fitted.probe.embedding.length)
      }
    }
  })
})

describe('the candidates of a profile', () => {
  it('have features and the nearest term', async () => {
    const bio = 'I like chess.'
    const tags = [[], [tag('a boat')]]
    const terms = await embedProfileTerms({ bio, tags }, similarity, startUpCall())
    const candidates = await collectEntries(
      { bio, tags, terms, read: [{ kind: 'lifestyle', value: 'life on a sailboat' }] },
      { similarity, learned: await load() },
      startUpCall(),
    )
    const of = (value: string) => candidates.find((candidate) => candidate.value === value)
    expect(of('sailing')?.nearest).toEqual({ source: 'photo', photo: 1, confidence: 1 })
    expect(of('chess')).toMatchObject({ nearest: { source: 'bio', confidence: 1 }, isNamed: true })
    // It gets the fit of the learned entry with the same meaning.
    expect(of('life on a sailboat')?.features).toMatchObject({ read: 1, known: 1, shared: 0 })
    expect(of('life on a sailboat')?.features.fit).toBe(of('boat owner')?.features.fit)
  })

  it('leave out what the bio denies', async () => {
    const collect = async (bio: string) => {
      const terms = await embedProfileTerms({ bio, tags: [] }, similarity, startUpCall())
      const read = [{ kind: 'interest' as const, value: 'football' }]
      const material = { bio, tags: [], terms, read }
      const tools = { similarity, learned: undefined }
      return (await collectEntries(material, tools, startUpCall())).map(({ value }) => value)
    }
    expect(await collect('I hate football. I work nights.')).toEqual([])
    expect(await collect('I hate losing at football. Football is life.')).toEqual(['football'])
    expect(await collect('Sleep > football. I work nights.')).toEqual([])
    expect(await collect('Football > sleep. I work nights.')).toEqual(['football'])
  })
})
