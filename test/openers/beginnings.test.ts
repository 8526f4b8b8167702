import { describe, expect, it } from '@jest/globals'
import { loadOpenerGuidance } from '../../src/inference/language/opener-guidance.js'
import { orderBeginnings } from '../../src/openers/beginnings.js'
import { finishSentence } from '../../src/openers/finish-sentence.js'
import { isPlural, kindsOfThing } from '../../src/openers/kinds-of-things.js'
import { completeFacts } from '../../src/openers/opener-facts.js'
import { createRandom } from '../../src/openers/random.js'
import things from '../../src/openers/things.json' with { type: 'json' }

const FACTS = completeFacts({
  senderName: 'Sam',
  bio: 'Potter with a kiln in the shed.',
  photoElements: ['tabby cats', 'tea bowl'],
  likes: ['pottery'],
  senderLikes: ['baking'],
  commonGround: [],
  sharedInterests: [],
})

const DEFAULT_PACK = await loadOpenerGuidance('models/smollm2-135m-openers/prompts')
const isUnknown = (kind: string) => !Object.keys(things).includes(kind) && kind !== 'thing'

const equalWeight = () => 1
const fill = (
  patterns: string[],
  seed = 'a',
  weightOf: (pattern: string) => number = equalWeight,
) => orderBeginnings(patterns, FACTS, { random: createRandom([seed]), weightOf })
const texts = (patterns: string[]) => fill(patterns).map(({ text }) => text)

describe('beginnings', () => {
  it('are filled with the facts', () => {
    expect(texts(['What got you into {like}…?'])).toEqual(['What got you into pottery'])
    expect(texts(['Tell me about the {photo:animal}….'])).toEqual(['Tell me about the tabby cats'])
  })

  it('are omitted when nothing fits a slot', () => {
    expect(texts(['I like {shared} too….', 'Tell me about….'])).toEqual(['Tell me about'])
    expect(texts(['Play me the {photo:instrument}….', 'Tell me about….'])).toEqual([
      'Tell me about',
    ])
  })

  it('fill {new} only with interests that the sender does not have', () => {
    const facts = completeFacts({ ...FACTS, likes: ['baking', 'pottery'], senderLikes: ['baker'] })
    const options = { random: createRandom(['a']), weightOf: equalWeight }
    const [lesson] = orderBeginnings(["I'd like a first lesson in {new}…."], facts, options)
    expect(lesson?.text).toBe("I'd like a first lesson in pottery")
  })

  it('do not name the same thing twice', () => {
    expect(texts(['The {photo:thing} and the {photo:thing}….'])).toEqual([''])
  })

  it('agree in number with the first slot', () => {
    const look = 'The {photo:drink,thing} [looks|look] ready….'
    expect(texts([look])).toEqual(['The tea bowl looks ready'])
    expect(texts(['[Is|Are] the {photo:animal} shy…?'])).toEqual(['Are the tabby cats shy'])
  })

  it('use one of their wordings', () => {
    const pattern = '(Tell me|I want to hear) about {like}….'
    const seen = new Set(
      Array.from({ length: 20 }, (_, seed) => fill([pattern], `${seed}`)[0]!).map(
        ({ text }) => text,
      ),
    )
    expect([...seen].sort()).toEqual(['I want to hear about pottery', 'Tell me about pottery'])
  })

  it('do not mention people and their looks', () => {
    const facts = completeFacts({ ...FACTS, photoElements: ['toddler', 'red lipstick'] })
    const patterns = ['Who is the {photo}…?', 'Tell me about….']
    const options = { random: createRandom(['a']), weightOf: equalWeight }
    expect(orderBeginnings(patterns, facts, options).map(({ text }) => text)).toEqual([
      'Tell me about',
    ])
  })

  it('are ordered by the seed alone', () => {
    const patterns = Array.from({ length: 12 }, (_, i) => `Beginning ${i}….`)
    expect(fill(patterns, 'a')).toEqual(fill(patterns, 'a'))
    expect(fill(patterns, 'a')).not.toEqual(fill(patterns, 'b'))
  })

  it('come first in proportion to their weight', () => {
    const weightOf = (pattern: string) => (pattern === 'Liked….' ? 9 : 1)
    const first = Array.from(
      { length: 400 },
      (_, seed) => fill(['Disliked….', 'Liked….'], `${seed}`, weightOf)[0]!.text,
    )
    const liked = first.filter((text) => text === 'Liked').length
    expect(liked / first.length).toBeGreaterThan(0.84)
    expect(liked / first.length).toBeLessThan(0.96)
  })

  it('are empty when a pack has none', () => {
    expect(fill([])).toEqual([{ pattern: '', text: '', end: undefined }])
  })
})

describe('the beginnings of the default pack', () => {
  it.each(Object.entries(DEFAULT_PACK.beginnings))(
    'of %s can all be filled',
    (_style, patterns) => {
      const slots = patterns.flatMap((pattern) => [...pattern.matchAll(/\{\w+:([\w,]+)\}/g)])
      expect(slots.flatMap(([, names = '']) => names.split(',')).filter(isUnknown)).toEqual([])
      expect(new Set(patterns).size).toBe(patterns.length)
      expect(patterns.filter((pattern) => !/^[^…]+…[.?]$/.test(pattern))).toEqual([])
      const unfilled = texts([...patterns]).filter((text) => /[{}[\]()|]/.test(text))
      expect(unfilled).toEqual([])
    },
  )
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
  ])('follows from its beginning: %#', (beginning, generated, whole) => {
    expect(finishSentence(generated, beginning)).toBe(whole)
  })
})

describe('a photo element', () => {
  it.each([
    ['tabby cat', 'animal'],
    ['two tabbies', 'animal'],
    ['fried chicken', 'food'],
    ['snowy owl', 'wildlife'],
    ['sourdough loaf', 'food'],
    ['cup of tea', 'drink'],
    ['Grey Harbour', 'place'],
    ['stethoscope', 'thing'],
    ['ski lift', 'fixture'],
    ['toddler', 'person'],
    ['boy with football', 'person'],
    ['red lipstick', 'body'],
    ['winter coat', 'wear'],
    ['sewing machine', 'tool'],
    ['rock climbing', 'outing'],
    ['rock climbing', 'activity'],
    ['wood turning', 'activity'],
    ['', 'thing'],
  ] as const)('%p has the kind %s', (name, kind) => {
    expect(kindsOfThing(name).has(kind)).toBe(true)
  })

  it('is not classified by the last word alone', () => {
    expect(kindsOfThing('fried chicken').has('animal')).toBe(false)
    expect(kindsOfThing('record player').has('person')).toBe(false)
  })

  it.each([
    ['rain boots', true],
    ['people at night', true],
    ['two sheep', true],
    ['ramen', false],
    ['thermos', false],
    ['schoolchildren', true],
    ['glass', false],
    ['cactus', false],
    ['tennis', false],
    ['ceramics', false],
    ['city lights in fog', true],
    ['boy with flags', false],
    ['dog', false],
  ])('%p is plural: %s', (name, plural) => {
    expect(isPlural(name)).toBe(plural)
  })
})
