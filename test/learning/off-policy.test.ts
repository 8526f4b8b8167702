import { equalChances, type ChanceOf } from '../../src/learning/choice-probabilities.js'
import {
  estimateByPropensity,
  estimateDoublyRobust,
  type LoggedCall,
} from '../../src/learning/off-policy.js'
import type { Style } from '../../src/openers/styles.js'

const A: Style = 'playful_observation'
const B: Style = 'open_question'

const call = (
  styles: Style[],
  probability: number,
  replied: number,
  bucket: number,
): LoggedCall => ({
  tone: 'warm',
  styles,
  probabilities: [probability, 1],
  decided: 1,
  sent: 1,
  replied,
  bucket,
})

/** A was first with probability 0.8 and is answered in one call of four, B in one of two. */
const CALLS = [
  ...Array.from({ length: 8 }, (_, i) => call([A, B], 0.8, Number(i < 2), i)),
  ...Array.from({ length: 2 }, (_, i) => call([B, A], 0.2, Number(i < 1), 8 + i)),
]

const alwaysB: ChanceOf = (_tone, styles) => styles.map((style) => Number(style === B))

describe('estimates from logged probabilities', () => {
  it('weigh the calls as the other policy would have made them', () => {
    // Weights 0.5 / 0.8 and 0.5 / 0.2: (2 · 0.625 + 1 · 2.5) / (8 · 0.625 + 2 · 2.5).
    expect(estimateByPropensity(CALLS, equalChances).value).toBeCloseTo(0.375, 12)
    expect(estimateByPropensity(CALLS, alwaysB).value).toBeCloseTo(0.5, 12)
  })

  it('are doubly robust against a wrong model of outcomes', () => {
    const wrong = () => ({ sent: 1, replied: 0.9 })
    expect(estimateDoublyRobust(CALLS, equalChances, wrong).value).toBeCloseTo(0.375, 12)
  })

  it('are doubly robust against wrong probabilities', () => {
    const right = (_tone: string, [style]: readonly Style[]) => ({
      sent: 1,
      replied: style === A ? 0.25 : 0.5,
    })
    const distorted = CALLS.map((logged) => ({ ...logged, probabilities: [0.5, 1] }))
    expect(estimateDoublyRobust(distorted, equalChances, right).value).toBeCloseTo(0.375, 12)
    expect(estimateByPropensity(distorted, equalChances).value).not.toBeCloseTo(0.375, 2)
  })

  it('leave the order after the decided styles as it was drawn', () => {
    const more = CALLS.map((logged) => ({
      ...logged,
      styles: [...logged.styles, 'confident_direct' as const],
      probabilities: [logged.probabilities[0]!, 0.001, 1],
    }))
    const preferB: ChanceOf = (_tone, styles) =>
      styles.map((style, i) => Number(styles.includes(B) ? style === B : i === 0))
    expect(estimateByPropensity(more, preferB).value).toBeCloseTo(0.5, 12)
  })
})
