import { existsSync } from 'node:fs'
import type { Config } from '../config/config.js'
import { OperatorError } from '../core/operator-error.js'
import type { Database } from '../database/open-database.js'
import { checkPlansInUse, plansFileOf, readPlans } from '../metering/plans.js'
import { isSecretOf } from '../organizations/check-server-secret.js'
import { readGivenSecret, secretFileOf, type ServerSecret } from '../organizations/server-secret.js'

export type TransferConfig = Pick<Config, 'dataDir' | 'postgres' | 'serverSecretFile' | 'plansFile'>

/**
 * Reads the secret that the servers on PostgreSQL will use, which must be that of the installation: otherwise no key, no session
 * and no stored answer would open.
 * @throws OperatorError that says which file to copy
 */
export async function readSameSecret(
  source: Database,
  { dataDir, serverSecretFile }: TransferConfig,
): Promise<ServerSecret> {
  const copy = `Copy ${secretFileOf(dataDir)} to where the servers on PostgreSQL read it (mode 600), and let SERVER_SECRET_FILE name the copy.`
  if (serverSecretFile === undefined) {
    throw new OperatorError(`SERVER_SECRET_FILE is not set. ${copy}`)
  }
  const secret = await readGivenSecret(serverSecretFile)
  const isSame = await isSecretOf(source, secret)
  if (isSame) return secret
  throw new OperatorError(
    isSame === undefined
      ? `The database in ${dataDir} was never served, so there is nothing to move. Check DATA_DIR.`
      : `The file named by SERVER_SECRET_FILE holds another secret than the installation in ${dataDir}. ${copy}`,
  )
}

/**
 * Refuses other plans than those of the installation.
 * @throws OperatorError, PlansError
 */
export async function requireSamePlans(source: Database, config: TransferConfig): Promise<void> {
  const plans = await readPlans(config)
  const before = { dataDir: config.dataDir, plansFile: undefined }
  if (config.plansFile === undefined && existsSync(plansFileOf(before))) {
    const known = await readPlans(before)
    if (JSON.stringify([...known]) !== JSON.stringify([...plans])) {
      throw new OperatorError(
        `The plans in ${plansFileOf(before)} are not the default plans. Copy the file to where the servers on PostgreSQL read it, and let PLANS_FILE name the copy.`,
      )
    }
  }
  await checkPlansInUse(source, plans)
}
