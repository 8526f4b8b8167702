import { readConfig } from '../../../src/config/config.js'
import { openModels, type Models } from '../../../src/inference/open-models.js'
import { createLog } from '../../../src/telemetry/log.js'
import { createMetrics } from '../../../src/telemetry/metrics.js'

/** Starts worker processes and loads the built-in packs. */
export async function startRealModels(): Promise<Models> {
  // Several threads of the language model would spin against the browser.
  const config = readConfig({ LOG_LEVEL: 'silent', ENV_FILE: '', LANGUAGE_THREADS: '1' })
  const models = openModels(config, { log: createLog(config.log), metrics: createMetrics() })
  await models.start()
  return models
}
