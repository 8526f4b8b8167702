import { existsSync } from 'node:fs'
import type { DatabasePlace } from '../../database/open-database.js'
import { OperatorError } from '../../core/operator-error.js'
import { plansFileOf, readPlans, type PlansPlace } from '../../metering/plans.js'
import { failed, ok, type Finding } from '../check.js'
import { withDiagnosis } from '../with-diagnosis.js'

/** Checks that the plans file is valid and contains the plan of every organisation. */
export async function checkPlansFile(config: PlansPlace): Promise<Finding> {
  const file = config.postgres && config.plansFile === undefined ? undefined : plansFileOf(config)
  if (file !== undefined && !existsSync(file) && config.plansFile === undefined) {
    return ok('none yet; the first start creates it')
  }
  try {
    const plans = await readPlans(config)
    const missing = (await listPlansInUse(config)).filter((plan) => !plans.has(plan))
    if (missing.length === 0) return ok([...plans.keys()].join(', '))
    return failed(
      `organisations use plans that are missing in ${file ?? 'the default plans'}: ${missing.join(', ')}`,
      'Add these plans to the file (PLANS_FILE), or move the organisations: npm run admin -- plan set',
    )
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return failed(error.message, `Correct ${file ?? 'PLANS_FILE'}.`)
  }
}

async function listPlansInUse(config: DatabasePlace): Promise<string[]> {
  const rows = await withDiagnosis(config, (db) =>
    db.selectFrom('organizations').select('plan').distinct().execute(),
  )
  return (rows ?? []).map(({ plan }) => plan)
}
