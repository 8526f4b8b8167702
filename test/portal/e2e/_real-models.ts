import { readConfig } from '../../../src/config/config.js'
import { openModels, type Models } from '../../../src/inference/open-models.js'
import { createLog } from '../../../src/telemetry/log.js'
import { createMetrics } from '../../../src/telemetry/metrics.js'

/** Starts worker processes and loads the built-in packs. */
export async function startRealModels(): Promise<Models> {
  const config = readConfig({ LOG_LEVEL: 'silent', ENV_FILE: '' })
  const models = openModels(config, { log: createLog(config.log), metrics: createMetrics() })
  await models.start()
  return models
}
