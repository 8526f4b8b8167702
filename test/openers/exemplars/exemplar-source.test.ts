import { describe, expect, it } from '@jest/globals'
import { ExemplarLibrary } from '../../../src/openers/exemplars/exemplar-library.js'
import { Exemplars } from '../../../src/openers/exemplars/exemplar-source.js'
import { factsOf } from '../_facts.js'

const DAYS = 30
const DAY_MS = 24 * 60 * 60 * 1_000
const texts = [
  'What does the cat think of Mondays?',
  'What does the cat think of your shoes?',
  'What does the cat think of the neighbours?',
  'Which chair is still yours, and which is hers?',
]
const library = new ExemplarLibrary([
  {
    when: { photos: [['tabby cat']] },
    openers: texts.map((text) => ({ style: 'open_question', tones: ['warm'], text })),
  },
])

/** The openers of each day for three recipients, one after the other. */
function releaseForAll(): string[][] {
  let now = 0
  const exemplars = new Exemplars(library, () => now)
  return Array.from({ length: DAYS }, (_day, day) => {
    now = day * DAY_MS
    return [1, 2, 3].map((number) => {
      const facts = factsOf({ bio: `${day}, ${number}.`, photoElements: ['tabby cat'] })
      const task = { tenant: 'org live', facts, tone: 'warm', seed: facts.bio } as const
      const source = exemplars.forCall(task)
      const [first] = source.list('open_question')
      const { exemplar } = first!
      source.release(exemplar)
      return exemplar.text
    })
  })
}

describe('exemplars for one recipient after the other', () => {
  it('begin differently while there are others', () => {
    // Three of four texts begin alike, so one of the first two recipients would have another beginning on some 11 of 30 days.
    const different = releaseForAll().filter(
      ([first, second]) => first!.startsWith('What') !== second!.startsWith('What'),
    )
    expect(different.length).toBeGreaterThan(0.9 * DAYS)
  })

  it('begin alike where there are no others', () => {
    for (const [, , third] of releaseForAll()) expect(texts).toContain(third)
  })

  it('are the same again for the same seeds', () => {
    expect(releaseForAll()).toEqual(releaseForAll())
  })
})
