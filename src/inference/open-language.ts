import type { Config } from '../config/config.js'
import type { LlmPack } from '../packs/open-pack.js'
import { llmWeights } from '../packs/role-sections.js'
import { openEngineHost } from './open-engine-host.js'
import { NO_LIMIT, openHost, type HostParts, type Telemetry } from './open-host.js'
import type { LanguageHost } from './language/engines/engine-host.js'
import type { TokenizerSettings } from './language/engines/tokenizer.js'
import type { LanguageMethods } from './language/language.js'
import type { LanguageSettings } from './language/language-settings.js'

export interface LanguageParts {
  config: Config
  telemetry: Telemetry
  /** See `openModels`. */
  saltKey: Buffer | undefined
}

export interface LanguagePack {
  pack: LlmPack
  /** First turn of every prompt. */
  system: string | undefined
}

/** Opens what generates texts: the language worker, or with LANGUAGE_URL the engines. */
export function openLanguage(
  { config, telemetry, saltKey }: LanguageParts,
  { readPack, onEvent }: Pick<HostParts, 'onEvent'> & { readPack: () => Promise<LanguagePack> },
): LanguageHost {
  const { inference } = config
  if (inference.languageEngines) {
    return openEngineHost(config, telemetry, {
      engines: inference.languageEngines,
      saltKey,
      settings: async () => tokenizerSettings(await readPack()),
      onEvent,
    })
  }
  return openHost<LanguageMethods>(config, telemetry, {
    role: 'language',
    queue: { concurrency: inference.languageSequences, limit: NO_LIMIT },
    settings: async () => workerSettings(await readPack(), inference),
    onEvent,
  })
}

function workerSettings(
  { pack: { name, llm }, system }: LanguagePack,
  inference: Config['inference'],
): LanguageSettings {
  return {
    pack: name,
    ...llmWeights(llm),
    contextSize: llm.contextSize,
    gpuLayers: llm.gpuLayers,
    system,
    threads: inference.languageThreads,
    sequences: inference.languageSequences,
    device: inference.device,
  }
}

function tokenizerSettings({ pack: { name, llm } }: LanguagePack): TokenizerSettings {
  const { model, adapter, merged, contextSize } = llm
  const unmerged = { model, adapter }
  return {
    pack: name,
    weights: merged === undefined ? [unmerged] : [{ model: merged }, unmerged],
    contextSize,
  }
}
