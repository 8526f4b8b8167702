import { withoutInflection } from '../../src/text/inflections.js'

describe('words without inflections', () => {
  it.each([
    ['gardener', 'gardening'],
    ['embroider', 'embroidered'],
    ['knit', 'knitting'],
    ['cry', 'cries'],
    ['box', 'boxes'],
    ['class', 'classes'],
    ['bus', 'buses'],
    ['travel', 'travelled'],
    ['nurse', "nurse's"],
    ['sing', 'singing'],
  ])('agree for %s and %s', (one, other) => {
    expect(withoutInflection(one)).toBe(withoutInflection(other))
  })

  it.each([
    ['puppeteer', 'puppet'],
    ['officiant', 'official'],
    ['conservator', 'conservative'],
    ['intern', 'international'],
    ['forgetful', 'forget'],
    ['sing', 's'],
    ['bed', 'b'],
  ])('differ for %s and %s', (one, other) => {
    expect(withoutInflection(one)).not.toBe(withoutInflection(other))
  })
})
