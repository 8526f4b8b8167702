import type { Config } from '../config/config.js'
import type { LlmPack } from '../packs/open-pack.js'
import { llmWeights } from '../packs/role-sections.js'
import { openEngineHost, openTokenizer } from './open-engine-host.js'
import { NO_LIMIT, openHost, type HostParts, type Telemetry } from './open-host.js'
import { identityOf, type LanguageHost } from './language/engines/engine-host.js'
import type { ModelIdentity, TokenizerSettings } from './language/engines/tokenizer.js'
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
  /** First turn of most prompts. */
  system: string | undefined
  /** What the first turn of the user begins with in most prompts. */
  opening: string
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
      settings: async () => tokenizerSettings((await readPack()).pack),
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

/**
 * Loads the vocabulary of a pack in a worker for a moment, and describes the model that engines must serve.
 * @throws Error when it cannot be loaded; the log says why
 */
export async function readModelIdentity(
  config: Config,
  telemetry: Telemetry,
  pack: LlmPack,
): Promise<ModelIdentity> {
  const tokenizer = openTokenizer(config, telemetry, {
    concurrency: 1,
    settings: async () => tokenizerSettings(pack),
  })
  try {
    await tokenizer.start()
    return identityOf(tokenizer)
  } finally {
    await tokenizer.close()
  }
}

function workerSettings(
  { pack: { name, llm }, system, opening }: LanguagePack,
  inference: Config['inference'],
): LanguageSettings {
  return {
    pack: name,
    ...llmWeights(llm),
    contextSize: llm.contextSize,
    gpuLayers: llm.gpuLayers,
    system,
    opening,
    threads: inference.languageThreads,
    sequences: inference.languageSequences,
    device: inference.device,
  }
}

function tokenizerSettings({ name, llm }: LlmPack): TokenizerSettings {
  const { model, adapter, merged, contextSize } = llm
  const unmerged = { model, adapter }
  return {
    pack: name,
    weights: merged === undefined ? [unmerged] : [{ model: merged }, unmerged],
    contextSize,
  }
}
