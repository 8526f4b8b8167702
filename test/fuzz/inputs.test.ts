import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { encodedBody } from '../../src/tools/fuzz/inputs/mutate-bytes.js'
import { mutatedJson } from '../../src/tools/fuzz/inputs/mutate-json.js'
import { mutatedPhoto, type PhotoSeed } from '../../src/tools/fuzz/inputs/mutate-photo.js'
import { createPhotoSeeds } from '../../src/tools/fuzz/inputs/photo-seeds.js'
import { oddText } from '../../src/tools/fuzz/inputs/odd-text.js'

const SAMPLE = { seed: 1, numRuns: 500 }

it('odd texts keep to their limit and hold what breaks text handling', () => {
  const texts = fc.sample(oddText(5_000), SAMPLE)
  expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(5_000)
  expect(texts.some((text) => text.length > 1_000)).toBe(true)
  const all = texts.join('')
  for (const odd of ['\u{fdfa}', '\u202e', '\u200b', '\0', '<|im_end|>', '😀']) {
    expect(all).toContain(odd)
  }
  expect(texts.some((text) => /[\ud800-\udbff](?![\udc00-\udfff])/.test(text))).toBe(true)
})

it('mutated JSON is sometimes valid, sometimes not, and has duplicate keys and prototypes', () => {
  const valid = { user: { id: 'u', photos: ['p'], bio: 'b' } }
  const texts = fc.sample(mutatedJson([valid]), SAMPLE)
  const parsed = texts.filter((text) => isJson(text))
  expect(parsed.length).toBeGreaterThan(50)
  expect(parsed.length).toBeLessThan(SAMPLE.numRuns)
  expect(texts.some((text) => text.includes('"__proto__"'))).toBe(true)
  expect(texts.some((text) => /"bio":.*"bio":/s.test(text))).toBe(true)
  expect(texts).toContain(JSON.stringify(valid))
})

it('bodies are sent plain, compressed, damaged and as bombs', () => {
  const bodies = fc.sample(encodedBody(fc.constant('{"a":1}')), SAMPLE)
  const plain = bodies.filter(({ encoding }) => encoding === undefined)
  expect(plain.length).toBeGreaterThan(SAMPLE.numRuns / 2)
  const good = gzipSync('{"a":1}', { level: 1 })
  const gzip = bodies.filter(({ encoding }) => encoding === 'gzip')
  expect(gzip.some(({ bytes }) => bytes.equals(good))).toBe(true)
  expect(gzip.some(({ bytes }) => bytes.length > 10 && !bytes.equals(good))).toBe(true)
  expect(gzip.some(({ bytes }) => bytes.length > 100_000)).toBe(true)
})

describe('mutated photos', () => {
  let seeds: PhotoSeed[]
  beforeAll(async () => {
    seeds = await createPhotoSeeds()
  })

  it('come from every accepted format', () => {
    const formats = new Set(seeds.map(({ format }) => format))
    expect([...formats].sort()).toEqual(['avif', 'gif', 'jpeg', 'png', 'webp'])
  })

  it.each(['avif', 'gif', 'jpeg', 'png', 'webp'])(
    'of %s are mostly none of the seeds',
    (format) => {
      const own = seeds.filter((seed) => seed.format === format)
      const photos = fc.sample(mutatedPhoto(own), SAMPLE)
      const changed = photos.filter((bytes) => !own.some((seed) => seed.bytes.equals(bytes)))
      expect(changed.length).toBeGreaterThan(SAMPLE.numRuns * 0.7)
      expect(new Set(changed.map((bytes) => bytes.toString('base64'))).size).toBeGreaterThan(200)
    },
  )
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
