import type { Posterior } from './fit-posterior.js'
import { TRAITS, type TraitEstimate } from './learning-report.js'
import { logit, sigmoid } from './logistic.js'
import { traitIndex } from './opener-features.js'
import { deviationOf, projectPosterior } from './project-posterior.js'
import { Z_95 } from './quantiles.js'

/** What each trait changes, other things being equal, at the average reply rate of the evidence. */
export function estimateTraits(posterior: Posterior): TraitEstimate[] {
  const base = logit(averageRate(posterior))
  const change = (effect: number) => sigmoid(base + effect) - sigmoid(base)
  const effects = projectPosterior(
    posterior,
    TRAITS.map((trait) => ({ indices: [traitIndex(trait)], values: [1] })),
  )
  return TRAITS.map((trait, i) => {
    const [mean, spread] = [effects.mean[i]!, Z_95 * deviationOf(effects, i)]
    const effect = { value: change(mean), low: change(mean - spread), high: change(mean + spread) }
    return { trait, effect }
  })
}

/** Kept away from 0 and 1, where a log-odds has no value. */
function averageRate({ cells, mean }: Posterior): number {
  const sent = cells.reduce((sum, cell) => sum + cell.sent, 0)
  const replied = cells.reduce((sum, cell) => sum + cell.replied, 0)
  return (replied + sigmoid(mean[0]!)) / (sent + 1)
}
