import { describe, expect, it } from '@jest/globals'
import { listDetails } from '../../src/openers/details.js'
import { createRandom } from '../../src/openers/random.js'
import type { Style } from '../../src/openers/styles.js'
import { factsOf } from './_facts.js'

const FACTS = factsOf({
  bio: 'Beekeeper in Graz. Yes. I talk to the queen every morning.',
  photoElements: ['beehive', 'woman'],
  likes: ['honey'],
  sharedInterests: ['honey'],
})

function detailsOf(style: Style, facts = FACTS): string[] {
  return listDetails(style, facts, createRandom(['a'])).sort()
}

describe('the details that openers pick up', () => {
  it('are sentences of the bio that say something, and photos without the people in them', () => {
    expect(detailsOf('open_question')).toEqual([
      'A photo of the recipient shows: beehive',
      'The recipient wrote: Beekeeper in Graz.',
      'The recipient wrote: I talk to the queen every morning.',
    ])
  })

  it('are photos for a photo, and what both like for a shared interest', () => {
    expect(detailsOf('photo_callback')).toEqual(['A photo of the recipient shows: beehive'])
    expect(detailsOf('shared_interest')).toEqual(['Both like: honey'])
  })

  it('are no private matters', () => {
    const facts = factsOf({ bio: 'My divorce is through at last. I bake bread on Sundays.' })
    expect(detailsOf('open_question', facts)).toEqual([
      'The recipient wrote: I bake bread on Sundays.',
    ])
  })
})
