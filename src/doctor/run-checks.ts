import { ConfigError } from '../config/config-error.js'
import type { Config } from '../config/config.js'
import { StorageError } from '../database/storage-failure.js'
import { failed, ok, type Check, type Finding } from './check.js'

export type CheckReport = { check: string } & Finding

/**
 * Runs checks one after the other and yields each report. The first report is about the configuration; if that is
 * invalid, no check can run.
 * @param readConfig - may throw a ConfigError
 * @param listChecks - those of a configuration
 */
export async function* runChecks(
  readConfig: () => Config,
  listChecks: (config: Config) => readonly Check[],
): AsyncGenerator<CheckReport> {
  let config: Config
  try {
    config = readConfig()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const fix = 'Correct these variables in the environment or in the file named by ENV_FILE.'
    yield { check: 'configuration', ...failed(error.message, fix) }
    return
  }
  yield { check: 'configuration', ...ok('valid') }
  for (const check of listChecks(config))
    yield { check: check.name, ...(await runCheck(check, config)) }
}

async function runCheck(check: Check, config: Config): Promise<Finding> {
  try {
    return await check.run(config)
  } catch (error) {
    if (error instanceof StorageError) {
      const found = `it needs the database, which cannot be used (${error.reason})`
      return failed(found, 'Fix the problems reported above first.')
    }
    const reason = error instanceof Error ? error.message : 'unknown error'
    return failed(`the check could not run (${reason})`, 'Fix the problems reported above first.')
  }
}
