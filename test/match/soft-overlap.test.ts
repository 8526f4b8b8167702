import { describe, expect, it } from '@jest/globals'
import type { Person, Term } from '../../src/match/person.js'
import { lifestyleFit } from '../../src/match/signals/lifestyle-fit.js'
import { pairTerms, relatedEntries, sharedNames } from '../../src/match/soft-overlap.js'

/** Degrees by which texts lie apart; unrelated ones where nothing is said. */
const DIRECTIONS: Record<string, number> = {
  films: 0,
  cinema: 30,
  running: 90,
  cycling: 150,
  'early riser': 200,
  'night owl': 250,
  'morning person': 252,
}

const termOf = (text: string): Term => {
  const angle = (DIRECTIONS[text] ?? 0) * (Math.PI / 180)
  const isKnown = text in DIRECTIONS
  const embedding = isKnown
    ? Float32Array.of(Math.cos(angle), Math.sin(angle))
    : Float32Array.of(0, 0)
  return { text, embedding, centered: embedding }
}
const standardize = (cosine: number) => 10 * cosine
const pair = (left: string[], right: string[]) =>
  pairTerms(left.map(termOf), right.map(termOf), { standardize })

describe('terms of two people', () => {
  it.each([
    [
      ['chess', 'opera', 'tea'],
      ['tea', 'opera', 'chess'],
    ],
    [
      ['films', 'cinema', 'chess'],
      ['chess', 'cinema', 'films', 'running'],
    ],
    [
      ['running', 'films'],
      ['cycling', 'cinema', 'films'],
    ],
  ])('have the same names in the same order both ways round: %j and %j', (left, right) => {
    const [there, back] = [pair(left, right), pair(right, left)]
    expect(sharedNames(back)).toEqual(sharedNames(there))
    const related = (one: string[], other: string[]) =>
      relatedEntries(pair(one, other), one.map(termOf), other.map(termOf))
    expect(related(right, left)).toEqual(related(left, right))
    expect(back.map(({ alikeness }) => alikeness)).toEqual(there.map(({ alikeness }) => alikeness))
  })

  it('are named in the order in which both list them', () => {
    expect(sharedNames(pair(['tea', 'opera', 'chess'], ['tea', 'opera', 'chess']))).toEqual([
      'tea',
      'opera',
      'chess',
    ])
  })

  it('are each used once', () => {
    expect(pair(['films', 'chess'], ['cinema', 'films', 'chess'])).toHaveLength(2)
  })

  it('are named once, however many wordings there are', () => {
    expect(sharedNames(pair(['films', 'cinema'], ['cinema', 'films']))).toEqual(['films'])
  })
})

describe('ways of living', () => {
  const nobody: Person = {
    interests: [],
    lifestyle: [],
    photoTags: [],
    sentences: [],
    photos: [],
  }
  const lives = (...lifestyle: string[]) => ({ ...nobody, lifestyle: lifestyle.map(termOf) })

  it('find their partner beside an opposite that is nearer in words', () => {
    const fit = lifestyleFit(
      lives('early riser'),
      lives('night owl', 'morning person'),
      standardize,
    )
    expect(fit.evidence).toEqual(['early riser'])
  })

  it('name an entry of each where nothing is the same, and what excludes each other', () => {
    const fitOf = (a: Person, b: Person) => lifestyleFit(a, b, standardize)
    const early = lives('early riser', 'running')
    expect(fitOf(early, lives('night owl'))).toMatchObject({
      evidence: [],
      related: undefined,
      opposed: ['early riser', 'night owl'],
    })
    expect(fitOf(lives('running'), lives('films')).related).toEqual(['films', 'running'])
    expect(fitOf(early, nobody).related).toBeUndefined()
  })
})
