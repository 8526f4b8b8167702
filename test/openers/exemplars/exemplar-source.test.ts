import { describe, expect, it } from '@jest/globals'
import { ExemplarLibrary } from '../../../src/openers/exemplars/exemplar-library.js'
import { Exemplars } from '../../../src/openers/exemplars/exemplar-source.js'
import { factsOf } from '../_facts.js'

const PEOPLE = 40
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

/** Releases the first exemplar for one recipient after the other. */
function releaseForAll(): string[] {
  const exemplars = new Exemplars(library, () => 0)
  return Array.from({ length: PEOPLE }, (_, i) => {
    const facts = factsOf({ bio: `Person ${i}.`, photoElements: ['tabby cat'] })
    const source = exemplars.forCall({ tenant: 'org live', facts, tone: 'warm', seed: `${i}` })
    const [first] = source.list('open_question')
    source.release(first!)
    return first!.text
  })
}

describe('exemplars for one recipient after the other', () => {
  it('are less likely when others of the day begin with the same four words', () => {
    const released = releaseForAll()
    // Three of four texts begin alike: without regard to that, 30 of 40 would.
    const alike = released.filter((text) => text.startsWith('What does the cat'))
    expect(alike.length).toBeGreaterThan(0.4 * PEOPLE)
    expect(alike.length).toBeLessThan(0.7 * PEOPLE)
  })

  it('are the same again for the same seeds', () => {
    expect(releaseForAll()).toEqual(releaseForAll())
  })
})
