import { describe, expect, it } from '@jest/globals'
import { startUpCall } from '../../src/inference/call.js'
import { collectEntries } from '../../src/preferences/collect-entries.js'
import {
  createLearntEntries,
  loadLearntEntries,
  type LearntWeights,
} from '../../src/preferences/learnt-entries.js'
import fitted from '../../src/preferences/learnt-entries.json' with { type: 'json' }
import { readProfileTerms } from '../../src/preferences/profile-terms.js'

/** A space of two directions: boats, and everything else. */
const embed = async (texts: readonly string[]) =>
  texts.map((text) => (/boat|sail/.test(text) ? Float32Array.of(1, 0) : Float32Array.of(0, 1)))
const similarity = {
  embed,
  center: (embedding: Float32Array) => embedding,
  standardize: (cosine: number) => 6 * cosine,
  standardizeCentered: (cosine: number) => cosine,
}
const entry = (name: string, ...weights: number[]) => ({ name, bias: 0.1, weights })
const weights: LearntWeights = {
  probe: { text: 'a probe', embedding: [0, 1] },
  // Each direction once for the sentences, once for the tags.
  entries: {
    interest: [entry('sailing', 60, 0, 30, 0), entry('chess', 0, 20, 0, 20)],
    lifestyle: [entry('boat owner', 40, 0, 40, 0)],
  },
  signs: {
    interest: { bias: -1, weights: { read: 1, known: 0, fit: 2, bio: 0, photos: 0, shared: 0 } },
    lifestyle: { bias: 0, weights: { read: 0, known: 0, fit: 0, bio: 0, photos: 0, shared: 0 } },
  },
}
const load = () => createLearntEntries(weights, similarity, startUpCall())
const tag = (name: string) => ({
  definition: { tag: name, group: 'other', prompts: [], interests: [], lifestyle: [] },
  probability: 1,
  isAsserted: true,
})

describe('learnt entries', () => {
  it('fit a profile by the directions of its sentences and of its tags', async () => {
    const tags = [[tag('a boat')]]
    const terms = await readProfileTerms({ bio: 'I work nights.', tags }, similarity, startUpCall())
    const fits = (await load()).fitsOf('interest', terms)
    expect(fits.map(({ value, fit }) => [value, fit.toFixed(2)])).toEqual([
      ['sailing', '0.40'],
      ['chess', '0.30'],
    ])
  })

  it('are weighed by their signs', async () => {
    const signs = { read: 1, known: 1, fit: 0.5, bio: 9, photos: 9, shared: 1 }
    const learnt = await load()
    expect(learnt.probabilityOf('interest', signs)).toBeCloseTo(1 / (1 + Math.exp(-1)))
    expect(learnt.probabilityOf('lifestyle', signs)).toBeCloseTo(0.5)
  })

  it('are not loaded in a text space that they were not learnt in', async () => {
    expect(await loadLearntEntries(similarity, startUpCall())).toBeUndefined()
  })

  it('have weights for both directions, and names once', () => {
    for (const entries of Object.values(fitted.entries)) {
      expect(new Set(entries.map(({ name }) => name)).size).toBe(entries.length)
      for (const { weights: own } of entries) {
        expect(own).toHaveLength(2 * fitted.probe.embedding.length)
      }
    }
  })
})

describe('the candidates of a profile', () => {
  it('come with what suggests them and what lies nearest', async () => {
    const bio = 'I like chess.'
    const tags = [[], [tag('a boat')]]
    const terms = await readProfileTerms({ bio, tags }, similarity, startUpCall())
    const candidates = await collectEntries(
      { bio, tags, terms, read: [{ kind: 'lifestyle', value: 'life on a sailboat' }] },
      { similarity, learnt: await load() },
      startUpCall(),
    )
    const of = (value: string) => candidates.find((candidate) => candidate.value === value)
    expect(of('sailing')?.nearest).toEqual({ source: 'photo', photo: 1, confidence: 1 })
    expect(of('chess')).toMatchObject({ nearest: { source: 'bio', confidence: 1 }, isNamed: true })
    // What means the same as a learnt entry fits as well as that does.
    expect(of('life on a sailboat')?.signs).toMatchObject({ read: 1, known: 1, shared: 0 })
    expect(of('life on a sailboat')?.signs.fit).toBe(of('boat owner')?.signs.fit)
  })

  it('leave out what the bio denies', async () => {
    const collect = async (bio: string) => {
      const terms = await readProfileTerms({ bio, tags: [] }, similarity, startUpCall())
      const read = [{ kind: 'interest' as const, value: 'football' }]
      const material = { bio, tags: [], terms, read }
      const tools = { similarity, learnt: undefined }
      return (await collectEntries(material, tools, startUpCall())).map(({ value }) => value)
    }
    expect(await collect('I hate football. I work nights.')).toEqual([])
    expect(await collect('I hate losing at football. Football is life.')).toEqual(['football'])
  })
})
