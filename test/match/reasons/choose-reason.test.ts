import { describe, expect, it } from '@jest/globals'
import { choosePattern, chooseReason } from '../../../src/match/reasons/choose-reason.js'
import type { PersonFacts } from '../../../src/match/person.js'
import type { Signal } from '../../../src/match/signals/signal.js'
import { libraryOf } from './_library.js'

const person = (facts: Partial<PersonFacts>): PersonFacts => ({
  bio: '',
  interests: [],
  lifestyle: [],
  photoTags: [],
  photos: [],
  ...facts,
})
const signal = (parts: Partial<Signal>): Signal => ({
  category: 'shared_hobbies',
  strength: 1,
  evidence: [],
  ...parts,
})

describe('a reason written by hand', () => {
  const reasons = ['one', 'two', 'three', 'four'].map((name) => `You both like tea ${name}.`)
  const library = libraryOf('shared_hobbies', [{ entry: 'tea', reasons }])
  const evidence = { evidence: ['tea'] }
  const choose = (...people: [PersonFacts, PersonFacts]) =>
    chooseReason(library, { signal: signal(evidence), band: 'high', people })
  const drinker = (bio: string) => person({ bio, interests: ['tea'] })

  it('is the same for the same two people, in either order', () => {
    const [a, b] = [drinker('I row.'), drinker('I read.')]
    expect(choose(a, b)).toBe(choose(a, b))
    expect(choose(b, a)).toBe(choose(a, b))
  })

  it('varies between pairs that share the same', () => {
    const chosen = Array.from({ length: 40 }, (_, i) => choose(drinker('I row.'), drinker(`${i}`)))
    expect(new Set(chosen)).toEqual(new Set(reasons))
  })

  it('names nothing that one of them has in words of nearly the same meaning only', () => {
    const other = person({ interests: ['iced tea drinks'] })
    expect(choose(drinker('I row.'), other)).toBeUndefined()
  })

  it('is missing where nothing was written', () => {
    const cooks = person({ interests: ['cooking'] })
    const people = [cooks, cooks] as const
    const named = signal({ evidence: ['cooking'] })
    expect(chooseReason(library, { signal: named, band: 'high', people })).toBeUndefined()
  })
})

describe('a reason written for two ways of living', () => {
  const pairs = [
    { pair: ['outdoorsy', 'rural'], reasons: ['Fields suit the outdoorsy one and the rural one.'] },
    { pair: ['sober', 'social drinker'], reasons: ['Sober or social drinker, you share a table.'] },
  ] as { pair: [string, string]; reasons: string[] }[]
  const calm = { entry: 'calm', reasons: ['You are both calm.'] }
  const library = libraryOf('lifestyle_fit', [calm], pairs)
  const ways: Partial<Signal> = {
    category: 'lifestyle_fit',
    related: ['outdoorsy', 'rural'],
    opposed: ['sober', 'social drinker'],
  }
  const choose = (parts: Partial<Signal>, band: 'high' | 'low', lifestyle: string[] = []) => {
    const people = [person({ lifestyle }), person({ lifestyle })] as const
    return chooseReason(library, { signal: signal({ ...ways, ...parts }), band, people })
  }

  it('names what is related, or what is opposed if the confidence is low', () => {
    expect(choose({}, 'high')).toContain('outdoorsy')
    expect(choose({}, 'low')).toContain('Sober')
    expect(choose({ opposed: undefined }, 'low')).toContain('outdoorsy')
  })

  it('names what both share before', () => {
    expect(choose({ evidence: ['calm'] }, 'high', ['calm'])).toBe('You are both calm.')
  })

  it('gives way to the template where what both share has no reason', () => {
    expect(choose({ evidence: ['quiet'] }, 'high', ['quiet'])).toBeUndefined()
  })
})

describe('a reason written for a topic', () => {
  it('is found by its label', () => {
    const label = 'one of you cooks and the other loves to eat'
    const reasons = ['One of you cooks and the other loves to eat, so nothing is left over.']
    const library = libraryOf('complementary_traits', [{ entry: label, reasons }])
    const choose = (evidence: string) =>
      chooseReason(library, {
        signal: signal({ category: 'complementary_traits', evidence: [evidence] }),
        band: 'medium',
        people: [person({}), person({})],
      })
    expect(choose(label)).toBe(reasons[0])
    expect(choose('one of you sings')).toBeUndefined()
  })
})

describe('a sentence for two people with nothing in common', () => {
  const library = libraryOf(
    'shared_hobbies',
    [],
    [],
    [
      { pattern: 'different-interests', reasons: ['Ask about {a}, and about {b} in return.'] },
      { pattern: 'different-lifestyle', reasons: ['Between {a} and {b} lies an evening.'] },
      { pattern: 'nothing-goals', reasons: ['You seem to hope for similar things.'] },
    ],
  )
  const choose = (parts: Partial<Signal>, band: 'high' | 'low') =>
    choosePattern(library, { signal: signal(parts), band, people: [person({}), person({})] })
  const related = ['$& chess', 'opera'] as const

  it('names one thing of each', () => {
    const contrast = choose({ category: 'complementary_traits', related }, 'high')
    expect(contrast).toBe('Ask about $& chess, and about opera in return.')
    expect(choose({ category: 'shared_hobbies', related }, 'low')).toBe(contrast)
    const opposed = ['sober', 'social drinker'] as const
    expect(choose({ category: 'lifestyle_fit', opposed }, 'low')).toBe(
      'Between sober and social drinker lies an evening.',
    )
  })

  it('names nothing where nothing is known', () => {
    expect(choose({ category: 'similar_goals' }, 'high')).toBe(
      'You seem to hope for similar things.',
    )
  })

  it('gives way to the template for things that are near, and for what both share', () => {
    expect(choose({ category: 'shared_hobbies', related }, 'high')).toBeUndefined()
    expect(choose({ category: 'shared_hobbies', evidence: ['chess'] }, 'low')).toBeUndefined()
  })
})
