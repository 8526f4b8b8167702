import { truncate } from '../../src/text/truncate.js'

const BOUNDS = { characters: 60, tokens: 30 }

describe('truncating a text', () => {
  it('keeps a text within the bounds', () => {
    expect(truncate('Potter. Café owner, 34.', BOUNDS)).toBe('Potter. Café owner, 34.')
  })

  it('cuts a long text after its last sentence', () => {
    const text = `I teach pottery and keep two cats and a dog. ${'And more. '.repeat(10)}`
    expect(truncate(text, BOUNDS)).toBe('I teach pottery and keep two cats and a dog. And more.')
  })

  it('cuts a text without sentences after its last word', () => {
    const text = 'pottery '.repeat(20)
    expect(truncate(text, BOUNDS)).toBe('pottery '.repeat(7).trim())
  })

  it.each([
    ['combining marks', 'a\u0301\u0327'.repeat(20), 22],
    ['digits', '7'.repeat(60), 30],
    ['symbols', '♥'.repeat(60), 15],
    ['letters of other scripts', '猫'.repeat(60), 30],
  ])('cuts %s sooner, which become many tokens', (_what, text, length) => {
    expect([...truncate(text, BOUNDS)]).toHaveLength(length)
  })

  it('never cuts a character in two', () => {
    expect(truncate('👋'.repeat(60), BOUNDS)).toBe('👋'.repeat(15))
  })
})
