import { describe, expect, it } from '@jest/globals'
import type { Person, Term } from '../../src/match/person.js'
import { lifestyleFit } from '../../src/match/signals/lifestyle-fit.js'
import { pairTerms, findRelatedPair, listSharedNames } from '../../src/match/term-pairs.js'

/** Direction of each text's embedding, in degrees; other texts have a zero embedding. */
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

describe('pairs of terms', () => {
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
  ])('do not depend on which list comes first: %j and %j', (left, right) => {
    const [there, back] = [pair(left, right), pair(right, left)]
    expect(listSharedNames(back)).toEqual(listSharedNames(there))
    const related = (one: string[], other: string[]) =>
      findRelatedPair(pair(one, other), one.map(termOf), other.map(termOf))
    expect(related(right, left)).toEqual(related(left, right))
    expect(back.map(({ similarity }) => similarity)).toEqual(
      there.map(({ similarity }) => similarity),
    )
  })

  it('keep the order that both lists have', () => {
    expect(listSharedNames(pair(['tea', 'opera', 'chess'], ['tea', 'opera', 'chess']))).toEqual([
      'tea',
      'opera',
      'chess',
    ])
  })

  it('use each term once', () => {
    expect(pair(['films', 'chess'], ['cinema', 'films', 'chess'])).toHaveLength(2)
  })

  it('give each meaning one name', () => {
    expect(listSharedNames(pair(['films', 'cinema'], ['cinema', 'films']))).toEqual(['films'])
  })
})

describe('lifestyle fit', () => {
  const nobody: Person = {
    interests: [],
    lifestyle: [],
    photoTags: [],
    sentences: [],
    photos: [],
  }
  const lives = (...lifestyle: string[]) => ({ ...nobody, lifestyle: lifestyle.map(termOf) })

  it('prefers a synonym to an opposite with a closer embedding', () => {
    const fit = lifestyleFit(
      lives('early riser'),
      lives('night owl', 'morning person'),
      standardize,
    )
    expect(fit.evidence).toEqual(['early riser'])
  })

  it('has related or opposed entries if nothing is shared', () => {
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
