import { describe, expect, it } from '@jest/globals'
import { checkOpener } from '../../src/openers/checks/check-opener.js'
import { completeFacts } from '../../src/openers/opener-facts.js'

const FACTS = completeFacts({
  senderName: 'Sam',
  bio: 'Potter with a kiln in the shed. I paint boats and host silent breakfasts.',
  photoElements: ['greyhound', 'tea bowl'],
  likes: ['pottery', 'painting'],
  senderLikes: ['baking', 'pottery'],
  commonGround: ['pottery'],
  sharedInterests: ['pottery'],
})

const check = (text: string, maxUnsupportedStems = 0) =>
  checkOpener(text, { style: 'confident_direct', facts: FACTS, earlier: [], maxUnsupportedStems })

describe('an opener of a small model', () => {
  it.each([
    'Tell me about the boats you paint.',
    'I want to hear how the silent breakfasts started.',
    'I respect anyone who paints boats.',
    'We both like pottery, and I want to see the kiln.',
    'Pottery is my favourite thing about your profile.',
    'I like pottery as much as you like the kiln.',
    'Introduce me to the greyhound.',
    'I was glad to see the kiln.',
    "I'm already jealous of the kiln.",
    'I have a soft spot for the greyhound.',
    "I'd trade anything for the tea bowl.",
  ])('may say: %s', (text) => {
    expect(check(text)).toBeUndefined()
  })

  it.each([
    [
      'a thing of the recipient that the profile does not contain',
      'Your greyhound stole the strawberries.',
    ],
    ["a thing of the recipient as the sender's own", 'My kiln is ready for the tea bowl.'],
    [
      'an activity of the sender that the data does not contain',
      'I paint boats and you paint boats.',
    ],
    ['a past of the sender', 'I have been to the shed with the kiln.'],
    ['common ground that does not exist', 'We both host silent breakfasts.'],
  ])('does not claim %s', (_what, text) => {
    expect(check(text)).toBe('invented')
  })

  it('may name more of its own when the model is large', () => {
    const text = 'The greyhound deserves a velvet sofa.'
    expect([check(text, 0), check(text, 2)]).toEqual(['invented', undefined])
  })

  const checkAfter = (prefill: string, continuation: string) =>
    checkOpener(prefill + continuation, {
      style: 'confident_direct',
      facts: FACTS,
      earlier: [],
      prefill,
      maxUnsupportedStems: 0,
    })

  it('may make claims in its prefill, but not in the continuation', () => {
    const prefill = "I'm free on Sunday and I work for crumbs, so bring the greyhound"
    expect([checkAfter(prefill, '.'), checkAfter(prefill, ', my kiln waits.')]).toEqual([
      undefined,
      'invented',
    ])
  })

  it('is grounded by an interest in its prefill, even if the interest is a plain word', () => {
    const readers = completeFacts({ ...FACTS, bio: 'Quiet evenings.', likes: ['reading'] })
    const prefill = 'Name the day for reading'
    const checked = { style: 'confident_direct', facts: readers, earlier: [] } as const
    expect(checkOpener(`${prefill}.`, { ...checked, prefill })).toBeUndefined()
    expect(checkOpener(`${prefill}.`, checked)).toBe('ungrounded')
  })
})
