import { describe, expect, it } from '@jest/globals'
import type { KnownFacts } from '../../../src/openers/opener-facts.js'
import { ExemplarLibrary } from '../../../src/openers/exemplars/exemplar-library.js'
import type { ExemplarConditions } from '../../../src/openers/exemplars/exemplar-schema.js'
import { factsOf } from '../_facts.js'

/** Whether an exemplar with these conditions is true for a profile. */
function holds(when: ExemplarConditions, known: Partial<KnownFacts>): boolean {
  const text = 'A text that is long enough.'
  const openers = [{ style: 'playful_observation', tones: ['playful'], text }] as const
  const group = {
    when,
    openers: openers.map((opener) => ({ ...opener, tones: [...opener.tones] })),
  }
  return new ExemplarLibrary([group]).findTrue(factsOf(known)).length === 1
}

describe('an exemplar', () => {
  it('is true when a photo shows one of the things it needs', () => {
    const when = { photos: [['husky', 'poodle']] }
    expect(holds(when, { photoElements: ['sunset', 'poodle'] })).toBe(true)
    expect(holds(when, { photoElements: ['sunset'] })).toBe(false)
  })

  it('needs every one of its conditions', () => {
    const when = { photos: [['husky'], ['sushi']], bio: [{ any: ['nurse'] }] }
    const photoElements = ['husky', 'sushi']
    expect(holds(when, { photoElements, bio: 'A nurse on nights.' })).toBe(true)
    expect(holds(when, { photoElements: ['husky'], bio: 'A nurse on nights.' })).toBe(false)
    expect(holds(when, { photoElements, bio: 'A baker.' })).toBe(false)
  })

  it.each(['Nurse.', 'I work with nurses', "the nurse's nurse", 'Paediatric NURSE, tired'])(
    'finds a word of the bio in any inflection: %s',
    (bio) => {
      expect(holds({ bio: [{ any: ['nurse'] }] }, { bio })).toBe(true)
    },
  )

  it.each([
    ['embroider', 'I embroidered the sails'],
    ['gardener', 'Gardening until dark'],
    ['story', 'ask for stories'],
  ])('finds %s in another form: %s', (word, bio) => {
    expect(holds({ bio: [{ any: [word] }] }, { bio })).toBe(true)
  })

  it.each([
    ['puppet', 'Puppeteer, Lyon'],
    ['intern', 'international lawyer'],
    ['conservator', 'conservative on Sundays'],
    ['officiant', 'the official one'],
    ['programmer', 'a radio programme'],
    ['puppet', "Puppeteer, but I can't stand a puppet in my own bed"],
  ])('does not find %s in a word with the same stem: %s', (word, bio) => {
    expect(holds({ bio: [{ any: [word] }] }, { bio })).toBe(false)
  })

  it.each([
    "I'm not a nurse.",
    'A nurse? No. A vet.',
    'I used to be a nurse.',
    'My sister is a nurse.',
    'Dating a nurse taught me humility.',
    'Nursery teacher.',
    'plumber > nurse',
  ])('is not true where the bio says otherwise: %s', (bio) => {
    expect(holds({ bio: [{ any: ['nurse'], none: ['sister'] }] }, { bio })).toBe(false)
  })

  it.each([
    'Nurse in Cork, mother of a marine.',
    'Nurse, used to be an accountant.',
    'Ex-nurse, current gardener.',
    '▪️nurse ▪️left-handed',
  ])('is true of what stands before a denial or somebody else: %s', (bio) => {
    expect(holds({ bio: [{ any: ['nurse'] }] }, { bio })).toBe(true)
  })

  it('finds phrases word by word and in one sentence', () => {
    const when = { bio: [{ any: ['night shift'] }] }
    expect(holds(when, { bio: 'Night shifts and toast.' })).toBe(true)
    expect(holds(when, { bio: 'Up all night. Shift manager.' })).toBe(false)
  })

  it('may need a denial', () => {
    expect(holds({ bio: [{ any: ["can't dance"] }] }, { bio: "I can't dance." })).toBe(true)
  })

  it('needs an interest of the recipient, or of both', () => {
    expect(holds({ likes: ['rock climbing'] }, { likes: ['Rock-climbing'] })).toBe(true)
    expect(holds({ likes: ['rock climbing'] }, { likes: ['climbing'] })).toBe(false)
    expect(holds({ shared: ['chess'] }, { likes: ['chess'] })).toBe(false)
    expect(holds({ shared: ['chess'] }, { sharedInterests: ['chess'] })).toBe(true)
  })

  it('needs an interest that is meant as one', () => {
    const climbing = { likes: ['climbing'] }
    expect(holds(climbing, { bio: 'Crane man. I climb down for soup.', likes: ['climbing'] })).toBe(
      false,
    )
    expect(holds(climbing, { bio: 'Climbing, soup.', likes: ['climbing'] })).toBe(true)
    expect(holds(climbing, { bio: 'Soup.', likes: ['climbing'] })).toBe(true)
    const running = { bio: 'I wait for people who are running.', likes: ['running'] }
    expect(holds({ likes: ['running'] }, running)).toBe(false)
  })

  it('may be for bios that say next to nothing', () => {
    expect(holds({ thin: true }, { bio: 'new here' })).toBe(true)
    expect(holds({ thin: true }, { bio: 'A baker who gets up at four to feed the oven.' })).toBe(
      false,
    )
  })

  it('may hold for everybody', () => {
    expect(holds({ always: true }, { bio: '' })).toBe(true)
    expect(holds({ always: true }, { bio: 'A baker.', photoElements: ['husky'] })).toBe(true)
  })
})
