import { describe, expect, it } from '@jest/globals'
import { orderBeginnings } from '../../src/openers/beginnings.js'
import { finishSentence } from '../../src/openers/finish-sentence.js'
import { isPlural, kindOfThing } from '../../src/openers/kinds-of-things.js'
import { createRandom } from '../../src/openers/random.js'

const FACTS = {
  senderName: 'Sam',
  bio: 'Potter with a kiln in the shed.',
  photoElements: ['tabby cats', 'tea bowl'],
  likes: ['pottery'],
  senderLikes: ['baking'],
  commonGround: [],
  sharedInterests: [],
}

const fill = (patterns: string[], seed = 'a') =>
  orderBeginnings(patterns, FACTS, createRandom([seed]))
const texts = (patterns: string[]) => fill(patterns).map(({ text }) => text)

describe('beginnings', () => {
  it('are filled with what is known', () => {
    expect(texts(['What got you into {like}…?'])).toEqual(['What got you into pottery'])
    expect(texts(['Tell me about the {photo:animal}….'])).toEqual(['Tell me about the tabby cats'])
  })

  it('are left out where nothing fits', () => {
    expect(texts(['I like {shared} too….', 'Tell me about….'])).toEqual(['Tell me about'])
    expect(texts(['Play me the {photo:instrument}….', 'Tell me about….'])).toEqual([
      'Tell me about',
    ])
  })

  it('never name the same thing twice', () => {
    expect(texts(['The {photo:thing} and the {photo:thing}….'])).toEqual([''])
  })

  it('take one thing where the verb does', () => {
    expect(texts(['The {photo} in your photo looks….'])).toEqual([
      expect.stringMatching(/^(?:The tea bowl in your photo looks)?$/),
    ])
    expect(texts(['The {photo:animal} is clearly….'])).toEqual([''])
  })

  it('come in an order that depends on the seed alone', () => {
    const patterns = Array.from({ length: 12 }, (_, i) => `Beginning ${i}….`)
    expect(fill(patterns, 'a')).toEqual(fill(patterns, 'a'))
    expect(fill(patterns, 'a')).not.toEqual(fill(patterns, 'b'))
  })

  it('leave the model free where a pack has none', () => {
    expect(fill([])).toEqual([{ pattern: '', text: '', end: undefined }])
  })
})

describe('the end of a sentence', () => {
  const question = { pattern: 'x', text: 'What do you', end: '?' } as const
  const statement = { pattern: 'x', text: 'Tell me about', end: '.' } as const
  const free = { pattern: '', text: '', end: undefined }

  it.each([
    [question, ' bake', 'What do you bake?'],
    [question, ' bake.', 'What do you bake?'],
    [question, ' bake?', 'What do you bake?'],
    [statement, ' the kiln', 'Tell me about the kiln.'],
    [statement, ' the kiln,', 'Tell me about the kiln.'],
    [free, 'Which bowl broke', 'Which bowl broke?'],
    [free, '"The kiln is hot."', 'The kiln is hot.'],
  ])('is what its beginning asks for: %#', (beginning, generated, whole) => {
    expect(finishSentence(generated, beginning)).toBe(whole)
  })
})

describe('a photo element', () => {
  it.each([
    ['tabby cat', 'animal'],
    ['two tabbies', 'animal'],
    ['sourdough loaf', 'food'],
    ['cup of tea', 'drink'],
    ['Grey Harbour', 'place'],
    ['stethoscope', 'thing'],
    ['ski lift', 'fixture'],
    ['toddler', 'person'],
    ['rock climbing', 'activity'],
    ['', 'thing'],
  ])('%p is known as %s', (name, kind) => {
    expect(kindOfThing(name)).toBe(kind)
  })

  it('is several by its last noun', () => {
    expect(['rain boots', 'glass', 'cactus', 'dog'].map(isPlural)).toEqual([
      true,
      false,
      false,
      false,
    ])
  })
})
