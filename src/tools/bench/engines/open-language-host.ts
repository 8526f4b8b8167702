import path from 'node:path'
import process from 'node:process'
import { readConfig } from '../../../config/config.js'
import { openLanguage } from '../../../inference/open-language.js'
import type { LanguageHost } from '../../../inference/language/engines/engine-host.js'
import { loadPrompts, type Prompts } from '../../../inference/language/prompts.js'
import type { LlmPack } from '../../../packs/open-pack.js'
import type { Log } from '../../../telemetry/log.js'
import { createMetrics } from '../../../telemetry/metrics.js'
import { PROJECT_FOLDER } from '../../project-folder.js'

/** Standard output is reserved for the report. */
const log: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: (message, fields) => console.error(message, fields),
}

/** Opens what generates texts, as the service would, and loads it. */
export async function openLanguageHost(
  pack: LlmPack,
  urls: readonly string[],
): Promise<LanguageHost> {
  const config = readConfig({
    PATH: process.env.PATH,
    ENV_FILE: '',
    MODELS_DIR: path.join(PROJECT_FOLDER, 'models'),
    ...(urls.length > 0 && { LANGUAGE_URL: urls.join(','), LANGUAGE_ENGINE: 'llama-server' }),
  })
  const telemetry = { log, metrics: createMetrics() }
  const host = openLanguage(
    { config, telemetry, saltKey: undefined },
    { readPack: async () => ({ pack, system: pack.llm.system, opening: '' }) },
  )
  await host.start()
  return host
}

export function loadPackPrompts({ llm }: LlmPack): Promise<Prompts> {
  return loadPrompts(llm.prompts, { system: llm.system, sampling: llm.sampling })
}
