import { createTerms } from '../../../src/openers/exemplars/bio-terms.js'
import { ExemplarLibrary } from '../../../src/openers/exemplars/exemplar-library.js'
import { prepareConditions } from '../../../src/openers/exemplars/exemplar-conditions.js'
import {
  extractLineFeatures,
  lineLogOdds,
  placeLogOdds,
} from '../../../src/openers/exemplars/exemplar-odds.js'
import type { ExemplarConditions } from '../../../src/openers/exemplars/exemplar-schema.js'
import { factsOf } from '../_facts.js'

const TEXT = 'A text that is long enough.'
const conditionsOf = (when: ExemplarConditions) => prepareConditions(when, createTerms())
const STYLE = 'confident_direct' as const
const MENTION = { terms: [], termWords: 1, sentenceWords: 8 }
/** For somebody whose bio has twenty words. */
const odds = (when: ExemplarConditions, text = TEXT, grade?: 'B', rating?: number) => {
  const logOdds = lineLogOdds(conditionsOf(when), { text, style: STYLE, grade, rating })
  if (when.always) return Math.exp(logOdds)
  return Math.exp(
    logOdds + placeLogOdds({ bioWords: 20, mention: when.bio && MENTION, precision: undefined }),
  )
}
const about = (...any: string[]): ExemplarConditions => ({ bio: [{ any }] })

describe('the odds that a reader sends an exemplar', () => {
  it('are higher the fewer people it would fit', () => {
    expect(odds(about('pharmacist'))).toBeGreaterThan(odds(about('coffee')))
    expect(odds({ shared: ['beekeeping'] })).toBeGreaterThan(odds({ shared: ['music'] }))
  })

  it('are highest for what the bio says, then for what both like, and lowest for everybody', () => {
    const rising = [
      odds({ always: true }),
      odds({ likes: ['chess'] }),
      odds({ shared: ['chess'] }),
      odds(about('chess')),
    ]
    expect(rising).toEqual(rising.toSorted((left, right) => left - right))
    expect(new Set(rising).size).toBe(rising.length)
  })

  it('grow with a condition that few people meet and shrink with a lower grade', () => {
    const photos = [['husky']]
    expect(odds({ photos, ...about('zither') })).toBeGreaterThan(odds({ photos }))
    expect(odds({ photos }, TEXT, 'B')).toBeLessThan(odds({ photos }))
  })

  it('are higher by what readers said of it', () => {
    const nurse = about('nurse')
    expect(odds(nurse, TEXT, undefined, Math.log(2))).toBeCloseTo(2 * odds(nurse))
    expect(odds(nurse, TEXT, undefined, -0.5)).toBeLessThan(odds(nurse))
  })

  it('are low for names of places, where local dishes read as a stereotype', () => {
    expect(odds(about('Bergamo'))).toBeLessThan(odds(about('zither')) / 4)
  })

  it('are higher for a sender who takes part', () => {
    const nurse = about('nurse')
    expect(odds(nurse, 'I will bring the soup.')).toBeGreaterThan(odds(nurse, 'Some bring a soup.'))
    expect(odds(nurse, 'Let’s have soup then.')).toBeGreaterThan(
      odds(nurse, 'Have some soup then.'),
    )
  })

  it('depend on the rarest condition, counted for all of its alternatives', () => {
    const profiles = {
      profiles: 1_000,
      words: { tea: 30, garden: 8, shed: 2 },
      interests: { chess: 50 },
    }
    const frequency = (when: ExemplarConditions) =>
      Math.expm1(
        extractLineFeatures(conditionsOf(when), { text: TEXT, style: STYLE }, profiles).frequency,
      )
    expect(frequency(about('tea', 'shed'))).toBeCloseTo(32)
    expect(frequency(about('garden shed'))).toBeCloseTo(2)
    expect(frequency({ likes: ['chess'], ...about('tea') })).toBeCloseTo(30)
    expect(frequency(about('never seen'))).toBeCloseTo(0)
    expect(frequency(about('constructor', 'tea'))).toBeCloseTo(30)
  })

  it('are higher where a whole phrase is in the bio, in a short sentence and a short bio', () => {
    const at = (termWords: number, sentenceWords: number, bioWords: number) =>
      placeLogOdds({
        bioWords,
        mention: { terms: [], termWords, sentenceWords },
        precision: undefined,
      })
    expect(at(2, 6, 20)).toBeGreaterThan(at(1, 6, 20))
    expect(at(1, 6, 20)).toBeGreaterThan(at(1, 18, 20))
    expect(at(1, 6, 20)).toBeGreaterThan(at(1, 6, 80))
  })

  it('are higher the surer the words find the right people and the line is true of them', () => {
    const openers = (precision?: number) => [
      { style: STYLE, tones: ['warm' as const], text: TEXT, precision },
    ]
    const any = ['tin', 'beekeeper']
    const oddsAt = (bio: string, precision?: number[], ofLine?: number) =>
      new ExemplarLibrary([
        { when: { bio: [{ any, precision }] }, openers: openers(ofLine) },
      ]).findTrue(factsOf({ bio }))[0]!.odds
    const estimated = [1, 9]
    expect(oddsAt('A tin.', estimated)).toBeLessThan(oddsAt('A beekeeper.', estimated))
    expect(oddsAt('A tin.', estimated)).toBeLessThan(oddsAt('A tin.'))
    expect(oddsAt('A beekeeper.', estimated)).toBeGreaterThan(oddsAt('A beekeeper.'))
    expect(oddsAt('A tin, beekeeper.', estimated)).toBeCloseTo(oddsAt('A tin, beekeeper.', [9, 9]))
    expect(oddsAt('A tin.', estimated, 2)).toBeLessThan(oddsAt('A tin.', estimated, 8))
  })

  it('are the same for everybody where nothing of the profile is named', () => {
    const openers = [{ style: STYLE, tones: ['warm' as const], text: TEXT }]
    const library = new ExemplarLibrary([
      { when: { thin: true }, openers },
      { when: { always: true }, openers },
    ])
    const oddsAt = (bio: string) => library.findTrue(factsOf({ bio })).map(({ odds }) => odds)
    expect(oddsAt('Hello.')).toEqual(oddsAt('New here, so be kind to me, please.'))
    expect(oddsAt('Hello.')).toHaveLength(2)
    expect(oddsAt('Hello.')[1]).toBeCloseTo(odds({ always: true }))
  })
})
