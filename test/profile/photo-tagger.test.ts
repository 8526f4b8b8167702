import { beforeAll, describe, expect, it } from '@jest/globals'
import { createPhotoTagger, type PhotoTagger } from '../../src/profile/photo-tagger.js'
import { GENERAL_TAGS, nameElements, TAG_VOCABULARY } from '../../src/profile/tag-vocabulary.js'
import { call, createFakeVision } from '../photos/_fake-vision.js'

const SIZE = TAG_VOCABULARY.length

/** The embedding of a photo with the given weight of each tag. */
function photoOf(weights: Record<number, number>): Float32Array {
  const embedding = new Float32Array(SIZE)
  for (const [tag, weight] of Object.entries(weights)) embedding[Number(tag)] = weight
  const norm = Math.hypot(...embedding)
  return embedding.map((value) => value / norm)
}

describe('the tags of a photo', () => {
  let tagger: PhotoTagger
  beforeAll(async () => {
    const tagOf = new Map(
      TAG_VOCABULARY.flatMap(({ prompts }, tag) => prompts.map((prompt) => [prompt, tag] as const)),
    )
    const embedCaptions = async (texts: readonly string[]) =>
      texts.map((text) => photoOf({ [tagOf.get(text)!]: 1 }))
    tagger = await createPhotoTagger({ ...createFakeVision(), embedCaptions }, call)
  })
  const showable = TAG_VOCABULARY.flatMap(({ group }, tag) =>
    ['neutral', 'clothing and look'].includes(group) ? [] : [tag],
  )
  const indexOf = (name: string) => TAG_VOCABULARY.findIndex(({ tag }) => tag === name)
  const asserted = (photo: Float32Array) =>
    tagger
      .rank(photo)
      .filter(({ isAsserted }) => isAsserted)
      .map(({ definition }) => definition.tag)
  const namesOf = (tags: readonly number[]) => tags.map((tag) => TAG_VOCABULARY[tag]!.tag)

  it('are the eight most probable, most probable first', () => {
    const tags = [40, 7, 300, 12, 90, 200, 3, 150]
    const weights = Object.fromEntries(tags.map((tag, place) => [tag, 1 - place / 10]))
    const ranked = tagger.rank(photoOf({ ...weights, 250: 0.1, 30: 0.2 }))
    expect(ranked.map(({ definition }) => definition.tag)).toEqual(namesOf(tags))
    const probabilities = ranked.map(({ probability }) => probability)
    expect(probabilities).toEqual(probabilities.toSorted((left, right) => right - left))
  })

  it('are asserted if they are probable and of a group that may be asserted', () => {
    const [first, second] = showable as [number, number]
    expect(asserted(photoOf({ [first]: 1 }))).toEqual(namesOf([first]))
    expect(asserted(photoOf({ [first]: 1, [second]: 1 }))).toEqual(
      expect.arrayContaining(namesOf([first, second])),
    )
    expect(asserted(new Float32Array(SIZE))).toEqual([])
    const neutral = TAG_VOCABULARY.findIndex(({ group }) => group === 'neutral')
    expect(asserted(photoOf({ [neutral]: 1 }))).toEqual([])
  })

  it('are one general tag where several tags that it covers share the probability', () => {
    const photoOfTags = (...names: string[]) =>
      photoOf(Object.fromEntries(names.map((name) => [indexOf(name), 1])))
    const dogs = photoOfTags('puppy', 'labrador', 'poodle', 'corgi')
    expect(asserted(dogs)).toEqual(['dog'])
    expect(tagger.rank(dogs)[0]?.probability).toBeGreaterThan(0.5)
    expect(asserted(photoOfTags('puppy'))).toEqual(['puppy'])
    expect(tagger.rank(photoOfTags('puppy'))[0]?.probability).toBeGreaterThan(0.5)
    expect(asserted(photoOfTags('puppy', 'kitten', 'piano', 'sushi'))).toEqual([])
  })

  it('are covered by general tags under their own names', () => {
    const covered = GENERAL_TAGS.flatMap(({ covers }) => covers)
    expect(covered.filter((tag) => indexOf(tag) === -1)).toEqual([])
  })

  it('name what they show, with the general tag that covers one of them', () => {
    expect(nameElements(['corgi', 'sushi', 'puppy'])).toEqual(['corgi', 'sushi', 'puppy', 'dog'])
    expect(nameElements(['dog'])).toEqual(['dog'])
  })
})
