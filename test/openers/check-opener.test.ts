import { describe, expect, it } from '@jest/globals'
import { checkOpener, groundingScore } from '../../src/openers/checks/check-opener.js'
import { completeFacts } from '../../src/openers/opener-facts.js'
import type { Style } from '../../src/openers/styles.js'

const FACTS = completeFacts({
  senderName: 'Sam',
  bio: 'Potter with a kiln in the shed. My cat Chelsea steals the sourdough. Two marathons since 2019.',
  photoElements: ['tabby cat', 'pottery wheel'],
  likes: ['pottery', 'cats'],
  senderLikes: ['baking', 'cats'],
  commonGround: ['cats'],
  sharedInterests: ['cats'],
})

const check = (text: string, style: Style = 'confident_direct', earlier: string[] = []) =>
  checkOpener(text, { style, facts: FACTS, earlier })

describe('an opener', () => {
  it.each<[Style, string]>([
    ['playful_observation', 'Chelsea clearly runs the whole sourdough business from the shed.'],
    ['open_question', 'What came out of the kiln that surprised you most?'],
    ['photo_callback', 'That pottery wheel has seen things, I can tell.'],
    ['shared_interest', 'My cats would get along with yours, over stolen bread.'],
    ['confident_direct', 'Show me the kiln, I will bring the sourdough.'],
  ])('passes as %s when it keeps the style and names a detail', (style, text) => {
    expect(check(text, style)).toBeUndefined()
  })

  it.each<[string, string, Style, string]>([
    [
      'asks a question in a playful observation',
      'Is the kiln ever cold?',
      'playful_observation',
      'style',
    ],
    ['asks nothing in an open question', 'I like your kiln a lot.', 'open_question', 'style'],
    ['names nothing from the photos', 'Your sourdough sounds great.', 'photo_callback', 'style'],
    ['names nothing shared', 'Your kiln sounds great to me.', 'shared_interest', 'style'],
    ['hedges', 'Maybe we could meet at the kiln.', 'confident_direct', 'style'],
    ['ends in the middle', 'The kiln in your shed is a very', 'confident_direct', 'cut_off'],
    ['says next to nothing', 'Kiln!', 'confident_direct', 'length'],
    ['names no detail', 'You sound like a lot of fun to me.', 'confident_direct', 'ungrounded'],
    ['invents a name', 'Your kiln would love Barcelona in spring.', 'confident_direct', 'invented'],
    [
      'addresses somebody by an invented name',
      'Maya, that kiln is something.',
      'confident_direct',
      'invented',
    ],
    [
      'mangles a name of the profile',
      'Chelyte guards the kiln all day.',
      'confident_direct',
      'invented',
    ],
    ['invents a number', 'The kiln and 17 bowls sound good.', 'confident_direct', 'invented'],
    ['repeats itself', 'The kiln is hot and the kiln is hot.', 'confident_direct', 'repeated'],
    [
      'recites the bio',
      'Potter with a kiln in the shed. My cat Chelsea, so.',
      'confident_direct',
      'copied',
    ],
    [
      'repeats a field of the prompt',
      'Style: direct. The kiln is yours.',
      'confident_direct',
      'format',
    ],
    [
      'contains a control token',
      'The kiln is yours.<|im_end|> Fine.',
      'confident_direct',
      'format',
    ],
    ['contains a placeholder', 'I want to hear about [KILN].', 'confident_direct', 'format'],
    ['gives a phone number', 'The kiln and I are at 555 010 9999.', 'confident_direct', 'unsafe'],
    ['remarks on looks', 'Your gorgeous eyes light the kiln.', 'confident_direct', 'looks'],
  ])('is rejected when it %s', (_what, text, style, rejection) => {
    expect(check(text, style)).toBe(rejection)
  })

  it('is rejected when it repeats an earlier one in other words', () => {
    const earlier = ['Show me the kiln and the sourdough in the shed.']
    const text = 'In the shed, show the sourdough and the kiln.'
    expect(check(text, 'confident_direct', earlier)).toBe('repeated')
  })

  it('is rejected when it names a private topic', () => {
    const facts = completeFacts({
      ...FACTS,
      bio: 'Widower, two kids, a marriage that ended, one kiln in the shed.',
      likes: ['therapy'],
    })
    const of = (text: string, prefill = '') =>
      checkOpener(text, {
        style: 'confident_direct',
        facts,
        earlier: [],
        maxUnsupportedStems: 0,
        prefill,
      })
    expect(of('Tell me about your two kids.')).toBe('ungrounded')
    expect(of('Tell me about your marriage.')).toBe('ungrounded')
    expect(of('Name the day for therapy.', 'Name the day for therapy')).toBe('ungrounded')
    expect(of('Tell me about the kiln and the kids.')).toBe('invented')
    expect(of('Tell me about the kiln.')).toBeUndefined()
  })

  it('may use names and numbers of the profile', () => {
    expect(check('Chelsea earned a medal for those marathons since 2019.')).toBeUndefined()
  })

  it('scores higher when it refers to the profile than when it refers to other things', () => {
    const near = groundingScore('Chelsea and the sourdough rule the shed.', FACTS)
    const far = groundingScore('The kiln rides bicycles through rainy parliament gardens.', FACTS)
    expect(near).toBeGreaterThan(far)
  })
})
