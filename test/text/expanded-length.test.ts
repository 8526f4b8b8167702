import { expandedLength } from '../../src/text/expanded-length.js'

describe('the expanded length', () => {
  it.each([
    ['plain English', 'A potter from Leeds.', 20],
    ['a phrase of one code point', '\u{fdfa}', 18],
    ['Korean, which stays composed', '안녕하세요', 5],
    ['an emoji', '😀', 2],
    ['an ellipsis', '…', 3],
    ['no text', '', 0],
  ])('of %s', (_what, text, length) => {
    expect(expandedLength(text)).toBe(length)
  })

  it('of a long run is that of its characters', () => {
    expect(expandedLength('\u{fdfa}'.repeat(5_000))).toBe(90_000)
  })
})
