import { describe, expect, it } from '@jest/globals'
import type { ExemplarGroup } from '../../../src/openers/exemplars/exemplar-schema.js'
import { ExemplarLibrary } from '../../../src/openers/exemplars/exemplar-library.js'
import { Exemplars } from '../../../src/openers/exemplars/exemplar-source.js'
import type { Style } from '../../../src/openers/styles.js'
import { factsOf } from '../_facts.js'

function group(when: ExemplarGroup['when'], text: string, style: Style = 'open_question') {
  return { when, openers: [{ style, tones: ['playful' as const], text }] }
}

const CAT = group({ photos: [['tabby cat', 'ginger cat']] }, 'What does that cat know of you?')
const DOG = group({ photos: [['labrador']] }, 'Who walks whom, you or the labrador?')
const NURSE = {
  ...group({ bio: [{ any: ['nurse'], none: ['retired'] }] }, 'Which shift is the kindest?'),
  means: 'works as a nurse',
}
const SHARED = group({ shared: ['chess'] }, 'Which opening have you lost with most?')
const FAR = [1, 2, 3, 4, 5].map((i) => group({ likes: [`hobby ${i}`] }, `How about hobby ${i}?`))

function examplesFor(
  groups: readonly ExemplarGroup[],
  facts: Parameters<typeof factsOf>[0],
  style: Style = 'open_question',
) {
  const exemplars = new Exemplars(new ExemplarLibrary(groups), () => 0, false)
  const task = { tenant: 'org live', facts: factsOf(facts), tone: 'playful', seed: 'a' } as const
  return exemplars.forCall(task).examples(style)
}

describe('the examples for a language model', () => {
  it('end with the exemplar that is true for the profile, and say what it picks up', () => {
    const shown = examplesFor([CAT, ...FAR], { photoElements: ['ginger cat'] })
    expect(shown).toHaveLength(4)
    expect(shown.at(-1)).toEqual({
      about: 'A photo of the recipient shows: ginger cat',
      text: 'What does that cat know of you?',
    })
  })

  it('hold one of the same kind where nothing is true', () => {
    const shown = examplesFor([CAT, DOG, ...FAR], { photoElements: ['parrot'] })
    expect(shown.slice(-2).map(({ about }) => about)).toEqual(
      expect.arrayContaining([
        'A photo of the recipient shows: tabby cat',
        'A photo of the recipient shows: labrador',
      ]),
    )
  })

  it('hold one whose words stand in the bio in another sense', () => {
    const shown = examplesFor([NURSE, ...FAR], { bio: 'A retired nurse.' })
    expect(shown.at(-1)?.about).toBe('The recipient works as a nurse')
  })

  it('hold one on a common interest that only the recipient has, after those that are true', () => {
    const shown = examplesFor([SHARED, DOG, ...FAR], {
      photoElements: ['labrador'],
      likes: ['chess'],
    })
    expect(shown.slice(-2).map(({ about }) => about)).toEqual([
      'Both like: chess',
      'A photo of the recipient shows: labrador',
    ])
  })

  it('are of the wanted style, each about something else, and none for everybody', () => {
    const shown = examplesFor(
      [
        CAT,
        group({ photos: [['tabby cat']] }, 'That cat has plans for the sofa.', 'photo_callback'),
        group({ photos: [['tabby cat']] }, 'That cat has seen you dance alone.', 'photo_callback'),
        group({ always: true }, 'Everybody has a photo of something.', 'photo_callback'),
      ],
      { photoElements: ['tabby cat'] },
      'photo_callback',
    )
    expect(shown).toHaveLength(1)
    expect(shown[0]?.text).toMatch(/^That cat/)
  })

  it('leave out what was released to the recipient', () => {
    const exemplars = new Exemplars(new ExemplarLibrary([CAT, DOG]), () => 0)
    const facts = factsOf({ photoElements: ['tabby cat'] })
    const source = exemplars.forCall({ tenant: 'org live', facts, tone: 'playful', seed: 'a' })
    source.release(source.list('open_question')[0]!.exemplar)
    const shown = source.examples('open_question').map(({ about }) => about)
    expect(shown).toEqual(['A photo of the recipient shows: labrador'])
  })

  it('are all that there is of exemplars that are not released', () => {
    const exemplars = new Exemplars(new ExemplarLibrary([CAT]), () => 0, false)
    const facts = factsOf({ photoElements: ['tabby cat'] })
    const source = exemplars.forCall({ tenant: 'org live', facts, tone: 'playful', seed: 'a' })
    expect(source.list('open_question')).toEqual([])
    expect(source.examples('open_question')).toHaveLength(1)
  })
})
