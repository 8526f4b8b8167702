import { commentsOnLooks } from '../../src/safety/appearance.js'

describe('commentsOnLooks', () => {
  it.each([
    "You're gorgeous.",
    'You look stunning next to that waterfall.',
    'You look amazing in that red dress.',
    "You're so pretty it hurts.",
    'Are you always this good-looking on a Tuesday?',
    'Hey beautiful, how was Lisbon?',
    "Hi cutie, how's the bakery?",
    'Your smile could power the whole harbour.',
    'Your figure says yoga, your bio says lasagne.',
    'Your legs were made for that trail.',
    'I love your beautiful eyes.',
    'I like your beard and your beer.',
    'Your eyes are the same blue as that lake.',
    'Nice legs, shame about the socks.',
    'That green coat looks great on you.',
    'Sexy bookshelf, tidy owner.',
    'Who is that beautiful woman on the camel?',
    'Both of you are very attractive and love hiking.',
    'Her lovely smile and his warm eyes go well together.',
    'They are both photogenic and enjoy the sea.',
    'You caught my eye before the canal did.',
    'Y\u200bou are g\u043ergeous',
  ])('is true of people: %s', (text) => {
    expect(commentsOnLooks(text)).toBe(true)
  })

  it.each([
    'That is a beautiful temple, where is it?',
    'Gorgeous coffee, who poured it?',
    'Hot chocolate or hot sauce first?',
    'Your dog is gorgeous.',
    'The view behind you is breathtaking.',
    'Your garden looks lovely, does the cat help?',
    'Your hammock looks like the right cure for three weeks offshore.',
    'You look after penguins, I look after pianos.',
    'You look proud in that hard hat, and you have every right to be.',
    "You're pretty good at hiding plants.",
    'Pretty sure your cat runs the house.',
    'Keep your eyes on the trail.',
    'That foal is about ninety percent legs.',
    "Your poker face won't help you here.",
    'Your sea legs must be better than mine.',
    'Seeing that pot made me smile.',
    'You both have an eye for old maps.',
    'I like how your hands know the dough.',
    'A face full of flour is a good start.',
  ])('is false of things and sayings: %s', (text) => {
    expect(commentsOnLooks(text)).toBe(false)
  })
})
