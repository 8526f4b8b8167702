import type { Database } from '../database/open-database.js'
import { fitEnvironment } from './fit-environment.js'
import type { Posterior } from './fit-posterior.js'
import type { FitRequest } from './fit-request.js'
import { readComparison } from './read-comparison.js'
import { measureUplift } from './uplift.js'

/** What an environment has learnt up to a day. */
export interface EnvironmentFit {
  posterior: Posterior
  /** In a live environment, learnt openers get fewer replies than those of the control group, with confidence. */
  isHarmful: boolean
}

/** @param options.isPooled - whether live environments of other organisations may give the prior */
export async function computeFit(
  db: Database,
  options: FitRequest & { isPooled: boolean },
): Promise<EnvironmentFit> {
  const posterior = await fitEnvironment(db, options)
  const { difference } = measureUplift(await readComparison(db, options))
  const isNegative = difference !== undefined && difference.high < 0
  return { posterior, isHarmful: options.scope.environment === 'live' && isNegative }
}
