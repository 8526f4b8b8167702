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

const check = (text: string, maxStrangers = 0) =>
  checkOpener(text, { style: 'confident_direct', facts: FACTS, earlier: [], maxStrangers })

describe('an opener of a small model', () => {
  it.each([
    'Tell me about the boats you paint.',
    'I want to hear how the silent breakfasts started.',
    'I respect anyone who paints boats.',
    'We both like pottery, and I want to see the kiln.',
    'Pottery is my favourite thing about your profile.',
    'I like pottery as much as you like the kiln.',
    'Introduce me to the greyhound.',
  ])('may say: %s', (text) => {
    expect(check(text)).toBeUndefined()
  })

  it.each([
    ['a thing of the recipient that the profile lacks', 'Your greyhound stole the strawberries.'],
    ["something of the recipient's as the sender's own", 'My kiln is ready for the tea bowl.'],
    ['what the sender never said of himself', 'I paint boats and you paint boats.'],
    ['a past of the sender', 'I have been to the shed with the kiln.'],
    ['common ground where there is none', 'We both host silent breakfasts.'],
  ])('does not claim %s', (_what, text) => {
    expect(check(text)).toBe('invented')
  })

  it('may use more words of its own when the model is a large one', () => {
    const text = 'The greyhound deserves a velvet sofa.'
    expect([check(text, 0), check(text, 2)]).toEqual(['invented', undefined])
  })

  const checkAfter = (given: string, own: string) =>
    checkOpener(given + own, {
      style: 'confident_direct',
      facts: FACTS,
      earlier: [],
      given,
      maxStrangers: 0,
    })

  it('may begin as people wrote it, whatever that says of the sender', () => {
    const given = "I'm free on Sunday and I work for crumbs, so bring the greyhound"
    expect([checkAfter(given, '.'), checkAfter(given, ', my kiln waits.')]).toEqual([
      undefined,
      'invented',
    ])
  })

  it('is about the interest that its beginning names, however plain the word', () => {
    const readers = completeFacts({ ...FACTS, bio: 'Quiet evenings.', likes: ['reading'] })
    const given = 'Name the day for reading'
    const checked = { style: 'confident_direct', facts: readers, earlier: [] } as const
    expect(checkOpener(`${given}.`, { ...checked, given })).toBeUndefined()
    expect(checkOpener(`${given}.`, checked)).toBe('ungrounded')
  })
})
