import { describe, expect, it } from '@jest/globals'
import { checkOpener } from '../../src/openers/checks/check-opener.js'
import { familyStems } from '../../src/text/word-families.js'
import { contentStems } from '../../src/text/words.js'
import { factsOf } from './_facts.js'

describe('the word family', () => {
  it.each([
    ['climber', 'climbing'],
    ['baker', 'baking'],
    ['potter', 'pottery'],
    ['runner', 'running'],
    ['gardening', 'gardener'],
    ['swimmers', 'swimming'],
    ['violinist', 'violin'],
    ['pottery', 'potter'],
    ['skiing', 'skier'],
  ])('of %p contains %p', (word, relative) => {
    const stems = familyStems(word)
    expect([...contentStems(relative)].filter((stem) => !stems.has(stem))).toEqual([])
  })

  it.each([
    ['climber', 'baking'],
    ['every', 'evening'],
    ['tea', 'team'],
  ])('of %p does not contain %p', (word, unrelated) => {
    const stems = familyStems(word)
    expect([...contentStems(unrelated)].some((stem) => stems.has(stem))).toBe(false)
  })
})

it.each([
  ['Weekend climber, weekday analyst.', 'How did you get into climbing?'],
  ['Baker in a village of nine.', 'When did you start baking?'],
  ['I do pottery on Sundays.', 'Were you always a potter?'],
])('the bio %p grounds %p', (bio, text) => {
  const facts = factsOf({ bio })
  expect(
    checkOpener(text, { style: 'open_question', facts, earlier: [], maxUnsupportedStems: 0 }),
  ).toBeUndefined()
})
