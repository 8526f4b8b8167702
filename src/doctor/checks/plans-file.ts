import { existsSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'
import type { Config } from '../../config/config.js'
import { databaseFile } from '../../database/open-database.js'
import { OperatorError } from '../../core/operator-error.js'
import { plansFileOf, readPlans } from '../../metering/plans.js'
import { failed, ok, type Finding } from '../check.js'

/** Checks that the plans file is valid and contains the plan of every organisation. */
export async function checkPlansFile(
  config: Pick<Config, 'dataDir' | 'plansFile'>,
): Promise<Finding> {
  const file = plansFileOf(config)
  if (!existsSync(file) && config.plansFile === undefined) {
    return ok('none yet; the first start creates it')
  }
  try {
    const plans = await readPlans(config)
    const missing = listPlansInUse(config.dataDir).filter((plan) => !plans.has(plan))
    if (missing.length === 0) return ok([...plans.keys()].join(', '))
    return failed(
      `organisations use plans that are missing in ${file}: ${missing.join(', ')}`,
      'Add these plans to the file, or move the organisations: npm run admin -- plan set',
    )
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return failed(error.message, `Correct ${file}.`)
  }
}

function listPlansInUse(dataDir: string): string[] {
  if (!existsSync(databaseFile(dataDir))) return []
  const sqlite = new BetterSqlite3(databaseFile(dataDir), { fileMustExist: true })
  try {
    return sqlite.prepare('select distinct plan from organizations').pluck().all() as string[]
  } finally {
    sqlite.close()
  }
}
