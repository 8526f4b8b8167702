import { readConfig } from '../../../../config/config.js'
import { serve } from '../../../../server/serve.js'
import { createWeightlessModels } from './weightless-models.js'

/** Serves as `profile-intelligence serve` does, with models without weights. */
const config = readConfig()
await serve(config, { overrides: { models: await createWeightlessModels(config.dataDir) } })
