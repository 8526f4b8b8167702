/**
 * Serves as `profile-intelligence serve` does, with models without weights. Arguments: the module with the models, and a file:
 * while it exists, the language model does not answer.
 */
import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { readConfig } from '../../dist/config/config.js'
import { serve } from '../../dist/server/serve.js'

const [modelsModule, holdFile] = process.argv.slice(2)
const { createFakeModels } = await import(modelsModule)
const models = await createFakeModels()
const { language } = models
const generate = async (request, call) => {
  while (existsSync(holdFile)) await delay(10, undefined, { signal: call.signal })
  return language.generate(request, call)
}
await serve(readConfig(), {
  overrides: { models: { ...models, language: { ...language, generate } } },
})
