import { describe, expect, it } from '@jest/globals'
import { libraryOf } from './_library.js'

const entry = (name: string, ...also: string[]) => ({
  entry: name,
  ...(also.length > 0 && { also }),
  reasons: [`You both like ${name}.`],
})

describe('the library of match reasons', () => {
  const hobbies = libraryOf('shared_hobbies', [
    entry('dogs'),
    entry('dancing', 'dance'),
    entry('church'),
    entry('churches'),
    entry('durian'),
  ])
  const shared = (left: string[], right: string[]) =>
    hobbies.findShared('shared_hobbies', left, right)?.[0]

  it('finds what both have in any number and by any of its names', () => {
    expect(shared(['Dog'], ['dogs'])).toBe('You both like dogs.')
    expect(shared(['dance'], ['dancing'])).toBe('You both like dancing.')
  })

  it('finds nothing that only one of them has', () => {
    expect(shared(['dogs'], ['cats'])).toBeUndefined()
    expect(shared(['dogs'], [])).toBeUndefined()
  })

  it('names the rarest, which stands last, in whatever order they list it', () => {
    expect(shared(['durian', 'dogs', 'dance'], ['dogs', 'durian'])).toBe('You both like durian.')
    expect(shared(['dogs', 'dance', 'durian'], ['durian', 'dogs'])).toBe('You both like durian.')
  })

  it('keeps apart what has two meanings, and guesses neither', () => {
    expect(shared(['churches'], ['churches'])).toBe('You both like churches.')
    expect(shared(['church'], ['churches'])).toBeUndefined()
    expect(shared(['the church'], ['the church'])).toBeUndefined()
  })

  it('completes an entry by a later line with its name, and moves it there', () => {
    const library = libraryOf('shared_hobbies', [
      entry('dogs'),
      entry('tea'),
      { entry: 'Dogs', reasons: ['Dogs of all sizes please the two of you.'] },
    ])
    expect(library.findShared('shared_hobbies', ['tea', 'dogs'], ['tea', 'dogs'])).toEqual([
      'You both like dogs.',
      'Dogs of all sizes please the two of you.',
    ])
  })

  it('finds photo tags by their exact names only', () => {
    const photos = libraryOf('aesthetic_alignment', [entry('football'), entry('cow')])
    const find = (tag: string) => photos.findShared('aesthetic_alignment', [tag], [tag])
    expect(find('football')).toBeDefined()
    expect(find('cows')).toBeUndefined()
  })

  it('finds a pair in either order', () => {
    const reasons = ['The early riser knows the sunrise, and the night owl the stars.']
    const library = libraryOf(
      'lifestyle_fit',
      [],
      [{ pair: ['night owl', 'early riser'], reasons }],
    )
    expect(library.findPair(['early risers', 'night owl'])).toEqual(reasons)
    expect(library.findPair(['early riser', 'homebody'])).toBeUndefined()
  })
})
