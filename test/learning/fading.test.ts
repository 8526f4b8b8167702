import { chooseHalfLives, HALF_LIVES } from '../../src/learning/choose-half-lives.js'
import { arrangeEvidence } from '../../src/learning/evidence-history.js'
import { fadeEvidence } from '../../src/learning/fading.js'
import { expectedParameters } from '../../src/learning/fit-posterior.js'
import { evidence, TODAY } from './_evidence.js'

describe('fadeEvidence', () => {
  it('halves the weight of a day with each half-life of time and of openers sent later', () => {
    const history = arrangeEvidence([
      evidence({ day: TODAY - 20, sent: 800, replied: 80 }),
      evidence({ day: TODAY - 10, sent: 200, replied: 20 }),
    ])
    const counts = fadeEvidence(history, TODAY, { days: 10, openers: 100 })
    // The older day: two half-lives of time, and 200 later openers are two more. The newer one: one of time.
    expect(counts.sent[0]).toBeCloseTo(800 / 16 + 200 / 2, 10)
    expect(counts.replied[0]).toBeCloseTo(80 / 16 + 20 / 2, 10)
  })

  it('gives the same sums whatever the order of the rows', () => {
    const rows = Array.from({ length: 40 }, (_, i) =>
      evidence({
        day: TODAY - 4 - (i % 7),
        lengthBand: i % 3,
        isQuestion: i % 2 === 0,
        sent: i / 7,
      }),
    )
    const halfLives = { days: 10, openers: 100 }
    const forwards = fadeEvidence(arrangeEvidence(rows), TODAY, halfLives)
    const backwards = fadeEvidence(arrangeEvidence(rows.toReversed()), TODAY, halfLives)
    forwards.sent.forEach((sent, i) => expect(backwards.sent[i]).toBeCloseTo(sent, 12))
  })
})

describe('chooseHalfLives', () => {
  /** 300 openers of two styles a day for 60 days, whose reply rates trade places for the last days. */
  const history = (daysSinceChange: number) =>
    arrangeEvidence(
      Array.from({ length: 60 }, (_, i) => {
        const isChanged = i >= 60 - daysSinceChange
        const [left, right] = isChanged ? [30, 60] : [60, 30]
        const day = TODAY - 64 + i
        return [
          evidence({ day, style: 'open_question', sent: 150, replied: left }),
          evidence({ day, style: 'confident_direct', sent: 150, replied: right }),
        ]
      }).flat(),
    )

  it('remembers long while nothing changes', () => {
    expect(chooseHalfLives(history(0), expectedParameters())).toBe(HALF_LIVES[0])
  })

  it('forgets fast after a change', () => {
    const { openers } = chooseHalfLives(history(10), expectedParameters())
    expect(openers).toBeLessThan(HALF_LIVES[0]!.openers / 4)
  })

  it('remembers long without evidence', () => {
    expect(chooseHalfLives(arrangeEvidence([]), expectedParameters())).toBe(HALF_LIVES[0])
  })
})
