import { fitPosterior } from '../../src/learning/fit-posterior.js'
import { createLearnedPolicy } from '../../src/learning/learned-policy.js'
import { createRandom } from '../../src/openers/random.js'
import { STYLE_NAMES } from '../../src/openers/styles.js'
import { evidence, TODAY } from './_evidence.js'

const learn = (replyRates: readonly number[], sentEach: number) =>
  createLearnedPolicy(
    fitPosterior(
      STYLE_NAMES.map((style, i) =>
        evidence({ style, sent: sentEach, replied: sentEach * replyRates[i]! }),
      ),
      { today: TODAY },
    ),
  )

const orderOf = (policy: ReturnType<typeof learn>, seed: string) =>
  policy.order('playful', STYLE_NAMES, createRandom([seed]))

describe('the learned policy', () => {
  it('draws all orders with equal probability below the needed evidence', () => {
    const policy = learn([0.9, 0.1, 0.1, 0.1, 0.1], 39)
    expect(orderOf(policy, 'a').probabilities).toEqual([1 / 5, 1 / 4, 1 / 3, 1 / 2, 1])
    expect(policy.preference(createRandom(['a']))).toBeUndefined()
    expect(policy.styleEstimates()).toEqual([])
    expect(policy.traitEstimates()).toEqual([])
    expect(policy.exploration()).toBe(1)
  })

  it('puts the style that is clearly better first, except for the minimum of each other style', () => {
    const policy = learn([0.1, 0.1, 0.6, 0.1, 0.1], 1_000)
    const orders = Array.from({ length: 2_000 }, (_, i) => orderOf(policy, `call ${i}`))
    const first = orders.filter(({ styles }) => styles[0] === 'photo_callback')
    expect(first[0]!.probabilities[0]).toBeCloseTo(1 - 4 * 0.02, 10)
    // Five standard deviations of a share of 2,000 draws.
    expect(first.length / orders.length).toBeGreaterThan(0.92 - 0.03)
    expect(first.length / orders.length).toBeLessThan(0.92 + 0.03)
    expect(policy.exploration()).toBeCloseTo(0.08, 10)
  })

  it('gives the same request the same order', () => {
    const policy = learn([0.2, 0.22, 0.24, 0.2, 0.21], 100)
    expect(orderOf(policy, 'req_1')).toEqual(orderOf(policy, 'req_1'))
    expect(orderOf(learn([0.2, 0.22, 0.24, 0.2, 0.21], 100), 'req_1')).toEqual(
      orderOf(policy, 'req_1'),
    )
  })

  it('keeps every style possible at every turn, with probabilities that sum to one over all orders', () => {
    const policy = learn([0.05, 0.2, 0.3, 0.2, 0.25], 300)
    const found = new Map<string, number>()
    for (let i = 0; i < 20_000; i++) {
      const { styles, probabilities } = orderOf(policy, `${i}`)
      found.set(
        styles.join(),
        probabilities.reduce((product, probability) => product * probability, 1),
      )
    }
    const total = [...found.values()].reduce((sum, probability) => sum + probability, 0)
    expect(total).toBeLessThanOrEqual(1 + 1e-9)
    // What 20,000 draws did not meet is improbable altogether.
    expect(total).toBeGreaterThan(0.99)
  })
})

describe('preferences and estimates', () => {
  const traits = { style: 'open_question', length: 60, detail: 'none', score: null } as const
  /** Questions are answered twice as often. */
  const policy = createLearnedPolicy(
    fitPosterior(
      [
        evidence({ isQuestion: true, sent: 1_000, replied: 400 }),
        evidence({ isQuestion: false, sent: 1_000, replied: 200 }),
      ],
      { today: TODAY },
    ),
  )

  it('prefers the candidate with the traits that get answered', () => {
    for (let i = 0; i < 100; i++) {
      const preference = policy.preference(createRandom([i]))!
      expect(preference({ ...traits, isQuestion: true })).toBeGreaterThan(
        preference({ ...traits, isQuestion: false }),
      )
    }
  })

  it('gives the same request the same preference', () => {
    const preferenceOf = () =>
      policy.preference(createRandom(['req_1']))!({ ...traits, isQuestion: true })
    expect(preferenceOf()).toBe(preferenceOf())
  })

  it('says what a trait changes, and leaves those without evidence around zero', () => {
    const effects = new Map(policy.traitEstimates().map(({ trait, effect }) => [trait, effect]))
    expect(effects.get('question')!.low).toBeGreaterThan(0.05)
    const { value, low, high } = effects.get('photo')!
    expect(value).toBeCloseTo(0, 10)
    expect(low).toBeLessThan(-0.05)
    expect(high).toBeGreaterThan(0.05)
  })

  it('says of every tone and style how good it is and how certain that is', () => {
    const estimates = learn([0.1, 0.1, 0.6, 0.1, 0.1], 1_000).styleEstimates()
    expect(estimates).toHaveLength(20)
    const best = estimates.find(
      ({ tone, style }) => tone === 'playful' && style === 'photo_callback',
    )!
    expect(best.probabilityBest).toBe(1)
    expect(best.probabilityAboveAverage).toBe(1)
    expect(best.firstShare).toBeCloseTo(0.92, 10)
    expect(best.sent).toBe(1_000)
    expect(best.replyRate.low).toBeLessThan(0.6)
    expect(best.replyRate.high).toBeGreaterThan(0.59)
  })
})
