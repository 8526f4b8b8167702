import { STYLE_NAMES, TONES, type Style, type Tone } from '../openers/styles.js'
import type { ChanceOf } from './choice-probabilities.js'
import type { Posterior } from './fit-posterior.js'
import type { Estimate, StyleEstimate } from './learning-report.js'
import { sigmoid } from './logistic.js'
import { deviationOf, type Gaussian } from './project-posterior.js'
import { Z_95 } from '../events/wilson-interval.js'
import { probabilitiesBest, type StyleDraws } from './style-draws.js'

/** What was learnt of every style in every tone. */
export function estimateStyles(
  { cells }: Pick<Posterior, 'cells'>,
  drawsOf: (tone: Tone) => StyleDraws,
  chanceOf: ChanceOf,
): StyleEstimate[] {
  const countSent = (tone: Tone, style: Style) =>
    cells.reduce(
      (sum, cell) => sum + (cell.tone === tone && cell.style === style ? cell.unfadedSent : 0),
      0,
    )
  return TONES.flatMap((tone) => {
    const styles = drawsOf(tone)
    const best = probabilitiesBest(styles, STYLE_NAMES)
    const above = probabilitiesAboveAverage(styles)
    const first = chanceOf(tone, STYLE_NAMES, 'first')
    return STYLE_NAMES.map((style, i) => ({
      tone,
      style,
      replyRate: estimateRate(styles.gaussian, i),
      probabilityAboveAverage: above[i]!,
      probabilityBest: best[i]!,
      firstShare: first[i]!,
      sent: countSent(tone, style),
    }))
  })
}

/** The median of the posterior with its 95 % credible interval. */
function estimateRate(gaussian: Gaussian, index: number): Estimate {
  const [mean, spread] = [gaussian.mean[index]!, Z_95 * deviationOf(gaussian, index)]
  return { value: sigmoid(mean), low: sigmoid(mean - spread), high: sigmoid(mean + spread) }
}

function probabilitiesAboveAverage({ draws }: StyleDraws): number[] {
  const above = STYLE_NAMES.map(() => 0)
  for (const draw of draws) {
    const rates = draw.map(sigmoid)
    const average = rates.reduce((sum, rate) => sum + rate, 0) / rates.length
    rates.forEach((rate, i) => (above[i]! += Number(rate > average)))
  }
  return above.map((count) => count / draws.length)
}
