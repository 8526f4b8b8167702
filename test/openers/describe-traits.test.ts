import { describe, expect, it } from '@jest/globals'
import { describeTraits } from '../../src/openers/describe-traits.js'
import { completeFacts } from '../../src/openers/opener-facts.js'

const FACTS = completeFacts({
  senderName: 'Sam',
  bio: 'Potter with a kiln in the shed. I like reading on Sundays.',
  photoElements: ['tabby cat', 'surfboard'],
  likes: ['pottery', 'reading', 'surfing', 'climbing'],
  senderLikes: ['climbing'],
  commonGround: ['climbing'],
  sharedInterests: ['climbing'],
})

describe('the traits of an opener', () => {
  it.each([
    ['Does the kiln ever cool down?', true],
    ['Is that your cat? It owns the shed.', true],
    ['Your kiln never cools down.', false],
  ])('state whether it asks: %s', (text, isQuestion) => {
    expect(describeTraits(text, FACTS, 0.8).isQuestion).toBe(isQuestion)
  })

  it.each([
    ['The tabby looks like the boss.', 'photo'],
    ['Your kiln never cools down.', 'bio'],
    ['What was your first pottery disaster?', 'bio'],
    ['You had me at climbing.', 'shared'],
    ['What a nice start to the week.', 'none'],
  ])('name the source of the detail: %s', (text, detail) => {
    expect(describeTraits(text, FACTS, 0.8).detail).toBe(detail)
  })

  it('count what both people like as shared, whatever else is named', () => {
    expect(describeTraits('Does the cat of the shed go climbing?', FACTS, 0.8).detail).toBe(
      'shared',
    )
  })

  it('count an interest that only the photos show as a detail of the photos', () => {
    const facts = completeFacts({ ...FACTS, bio: 'Quiet evenings.' })
    expect(describeTraits('Which wave taught you surfing?', facts, 0.8).detail).toBe('photo')
  })

  it('count an interest as a detail though its word is plain', () => {
    expect(describeTraits('What are you reading?', FACTS, 0.8).detail).toBe('bio')
  })

  it('have the score of the reranker, or null without one', () => {
    expect(describeTraits('Your kiln never cools down.', FACTS, 0.8).score).toBe(0.8)
    expect(describeTraits('Your kiln never cools down.', FACTS, undefined).score).toBeNull()
  })
})
