import { fitPosterior } from '../../src/learning/fit-posterior.js'
import { createLearnedPolicy } from '../../src/learning/learned-policy.js'
import { fitPooledPrior } from '../../src/learning/pooled-prior.js'
import { createRandom } from '../../src/openers/random.js'
import { STYLE_NAMES, type Style } from '../../src/openers/styles.js'
import { evidence, TODAY } from './_evidence.js'

/** Evidence of an organisation whose people answer one style. */
const preferring = (best: Style, sentEach: number) =>
  STYLE_NAMES.map((style) =>
    evidence({ style, sent: sentEach, replied: sentEach * (style === best ? 0.4 : 0.2) }),
  )

const firstChance = (style: Style, others: ReturnType<typeof preferring>[]) => {
  const prior = fitPooledPrior(others, { today: TODAY })
  const policy = createLearnedPolicy(fitPosterior([], { today: TODAY, prior }))
  const firsts = Array.from(
    { length: 1_000 },
    (_, i) => policy.order('playful', STYLE_NAMES, createRandom([i])).styles[0],
  )
  return firsts.filter((first) => first === style).length / firsts.length
}

describe('the pooled prior', () => {
  it('lets a new environment begin with what others have learnt', () => {
    const others = [preferring('photo_callback', 200), preferring('photo_callback', 200)]
    expect(firstChance('photo_callback', others)).toBeGreaterThan(0.4)
  })

  it('counts no organisation for more than a thousand openers', () => {
    const { evidence: ofOne } = fitPooledPrior([preferring('open_question', 1e6)], { today: TODAY })
    expect(ofOne).toBeCloseTo(1_000, 6)
  })

  it('does not let a large organisation outvote three others', () => {
    const honest = Array.from({ length: 3 }, () => preferring('photo_callback', 200))
    const others = [...honest, preferring('confident_direct', 1e6)]
    expect(firstChance('photo_callback', others)).toBeGreaterThan(
      firstChance('confident_direct', others),
    )
  })

  it('knows nothing without others', () => {
    expect(fitPooledPrior([], { today: TODAY }).evidence).toBe(0)
    expect(firstChance('photo_callback', [])).toBeLessThan(0.25)
  })
})
