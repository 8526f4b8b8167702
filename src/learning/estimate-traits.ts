import type { Posterior } from './fit-posterior.js'
import { TRAITS, type TraitEstimate } from './learning-report.js'
import { logit, sigmoid } from './logistic.js'
import { parameterIndex } from './opener-features.js'
import { deviationOf, projectPosterior, type Gaussian } from './project-posterior.js'
import { Z_95 } from '../events/wilson-interval.js'

/** The effects of all traits on the log-odds of a reply, in the order of `TRAITS`. */
export function projectTraits(posterior: Posterior): Gaussian {
  const effects = TRAITS.map((trait) => ({ indices: [parameterIndex.trait(trait)], values: [1] }))
  return projectPosterior(posterior, effects)
}

/** What each trait changes, other things being equal, at a reply rate. */
export function estimateTraits(effects: Gaussian, replyRate: number): TraitEstimate[] {
  const base = logit(replyRate)
  const change = (effect: number) => sigmoid(base + effect) - sigmoid(base)
  return TRAITS.map((trait, i) => {
    const [mean, spread] = [effects.mean[i]!, Z_95 * deviationOf(effects, i)]
    const effect = { value: change(mean), low: change(mean - spread), high: change(mean + spread) }
    return { trait, effect }
  })
}

/** Reply rate of the evidence, in (0, 1). */
export function averageRate({ cells, mean }: Posterior): number {
  const sent = cells.reduce((sum, cell) => sum + cell.sent, 0)
  const replied = cells.reduce((sum, cell) => sum + cell.replied, 0)
  // One more opener, of the expected rate, keeps it away from 0 and 1, where log-odds have no value.
  return (replied + sigmoid(mean[0]!)) / (sent + 1)
}
