import type { TextRisk } from '../../src/packs/text-risks.js'
import { assessText } from '../../src/safety/text-safety.js'

const refused = (category: TextRisk) => ({ safe: false, category })

describe('a bio', () => {
  it.each([
    'I shoot people for a living (photographer)',
    'Killer lasagne, would kill for tacos',
    'Scunthorpe, Essex, Penistone, Cockermouth',
    'Dick Van Dyke fan, cocktails, analyst',
    'I teach 16-year-olds maths',
    'mum of a 6 year old',
    'my kids are 8 and 12',
    'class of 2016, grad student, born 1989',
    'working at a high school',
    '5 ft 11, been to 27 countries, 10k in 45:30',
    'bus 405 to 2nd avenue',
    'Snap judgement. Telegraph reader.',
    'ask me about my 3 cats',
    'hate Mondays',
    'W.E.B. Du Bois and node.js',
    'Amazon.com employee, best @ home',
    'Damn good coffee, I swear like a sailor, badass',
    'Cumin, coriander and Anushka Shankar',
    'Portugais, toujours en retard',
    'Я люблю горы и кофе. 日本語も少し。',
    '',
  ])('is safe if it only looks unsafe: %s', (bio) => {
    expect(assessText(bio)).toEqual({ safe: true })
  })

  it.each<[TextRisk, string]>([
    ['minor_safety', "I'm 16"],
    ['minor_safety', 'sophomore in high school, 15yo'],
    ['minor_safety', 'dm me if under 18'],
    ['self_harm', 'just kill yourself'],
    ['threat', 'leave me and I will kill you'],
    ['hate', 'deport all muslims'],
    ['sexual_services', 'Independent escort, incall only'],
    ['drug_sale', 'selling weed and molly'],
    ['sexual_content', 'looking for casual sex'],
    ['money_request', 'cashapp me'],
    ['contact_details', 'add me on snap'],
  ])('is refused for %s: %s', (category, bio) => {
    expect(assessText(bio)).toEqual(refused(category))
  })

  it('is refused for the gravest of several risks', () => {
    expect(assessText("I'm 16, add me on snap, 202-555-0143")).toEqual(refused('minor_safety'))
  })

  it.each([
    ['full-width letters', 'ｓｅｎｄ ｎｕｄｅｓ'],
    ['spaced letters', 'h o r n y and bored'],
    ['an article before spaced letters', 'I want a b l o w j o b'],
    ['dots', 'p.o.r.n addict'],
    ['digits for letters', 'looking for s3x'],
    ['a star', 'wanna f*ck tonight'],
    ['repeated letters', 'sooo hooorny'],
    ['zero-width characters', 'send\u200b nu\u200bdes'],
    ['a soft hyphen', 'send nu\u00addes'],
    ['Cyrillic look-alikes', 'sеnd nudеs'],
    ['accents', 'sénd nüdes'],
  ])('does not get past with %s', (_, bio) => {
    expect(assessText(bio)).toEqual(refused('sexual_content'))
  })

  it.each([
    'No hookups, no nudes',
    "Don't ask for my snap",
    'Not a sugar daddy',
    'If you ask me for crypto I unmatch',
    'No minors. 18+ only.',
    'No racists, no homophobes',
    'Anyone who says immigrants are vermin can leave',
  ])('may reject what would get it refused: %s', (bio) => {
    expect(assessText(bio)).toEqual({ safe: true })
  })
})

describe('contact details', () => {
  it.each([
    '202-555-0143',
    '+44 7700 900461',
    '(415) 555-0182',
    '06 39 98 45 67',
    '0171/3920018',
    '２０２ ５５５ ０１４３',
    '5️⃣5️⃣5️⃣0️⃣1️⃣4️⃣2️⃣ call me',
    'five five five, zero one four two',
    'call 555 zero one 4 two',
    '2025550143 4155550182',
    'kim@invented.example',
    'kim at hotmail dot com',
    'kim (at) invented [dot] net',
    'https://invented.example/kim',
    'kiminvented.com',
    't.me/kiminvented',
    'insta: kim.invented',
    '@kim_invented',
    'kik kiminvented',
    'What is your number?',
  ])('are found in %s', (text) => {
    expect(assessText(text)).toEqual(refused('contact_details'))
  })

  it.each([
    '1990-1998 Lagos, 1998-2012 Leeds',
    '40.7128, -74.0060',
    '52.5200 13.4050',
    '3.14159265358979',
    '1 000 000 ideas, 2.500.000 steps',
    'squat 180 bench 120 deadlift 220',
    '180 120 220',
    '192.168.100.200',
    '2024-03-15, 15.03.2024',
    '4 8 15 16 23 42',
    '1 1 2 3 5 8 13 21 34',
    'one two three four five six seven eight',
    '01000101 01101110',
    '$2,350 a month',
    'won 3-2, lost 10-21, 11-21',
    'Engineer @google, brunch @ mine',
    'Berlin.Born and raised. e.g. here.',
    'asp.net by day, chess.com by night',
    "What's your number one album?",
    'My Instagram is mostly bread',
  ])('are not found in %s', (text) => {
    expect(assessText(text)).toEqual({ safe: true })
  })
})

describe('a generated text', () => {
  it.each([
    ['profanity', 'Your garden is fucking beautiful.'],
    ['profanity', 'That hill kicked my ass.'],
    ['sexual_content', 'Is there room in your bed with me and the dog?'],
    ['sexual_content', 'Sex appeal is a kayak, apparently.'],
  ] as const)('may not swear or flirt as a bio may: %s, %s', (category, text) => {
    expect(assessText(text)).toEqual({ safe: true })
    expect(assessText(text, 'generated')).toEqual(refused(category))
  })

  it.each([
    'Which of your plants is closest to filing a complaint about the night shift?',
    'Bouldering keeps you human and keeps me humble, so we should compare bruises.',
    'Moby Dick on a night shift: brave or asleep by page ten?',
    "Mum's shito in the suitcase is how you know someone was raised with love.",
    'Build the domino table and I will beat you on it.',
    'You both go home to someone with four legs.',
  ])('is safe if it is harmless: %s', (text) => {
    expect(assessText(text, 'generated')).toEqual({ safe: true })
  })

  it('may not ask for contact details', () => {
    const category = 'contact_details'
    expect(assessText("What's your snap?", 'generated')).toEqual(refused(category))
    expect(assessText('Can I get your number?', 'generated')).toEqual(refused(category))
  })
})

describe('a very long text', () => {
  const fill = (part: string) => part.repeat(Math.ceil(100_000 / part.length))

  it.each([
    ['accents in no order', `a${fill('\u0301\u0316')}`],
    ['phrases of one code point', fill('\ufdfa')],
    ['words the word list allows', fill("shitake who're ")],
    ['beginnings of rules', fill('i will really really send me my your ')],
    ['digits', fill('1-')],
    ['pieces of addresses', fill('a.a-a@')],
  ])('is read to its end if it consists of %s', (_, text) => {
    expect(assessText(text)).toEqual({ safe: true })
    expect(assessText(`${text}\nlooking for casual sex`)).toEqual(refused('sexual_content'))
  })
})
