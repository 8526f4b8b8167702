import type { Config } from '../../config/config.js'
import type { EngineSettings } from '../../config/language-engine-settings.js'
import { createEngineClient } from '../../inference/engines/engine-client.js'
import { EngineError, type EngineFailure } from '../../inference/engines/engine-error.js'
import { withLimit } from '../../inference/engines/with-limit.js'
import { checkEngine } from '../../inference/language/engines/check-engine.js'
import { createLanguageEngine } from '../../inference/language/engines/language-engine.js'
import type { ModelIdentity } from '../../inference/language/engines/tokenizer.js'
import { readModelIdentity } from '../../inference/open-language.js'
import { openPack } from '../../packs/open-pack.js'
import { createMetrics } from '../../telemetry/metrics.js'
import { failed, ok, warning, type Check, type Finding } from '../check.js'
import { readEngineLoad, type EngineLoad } from './engine-load.js'
import { SILENT_LOG } from '../silent-log.js'

const CHECK_TIMEOUT_MS = 10_000
/** Engines that are not busy take some 0.1 s for a short prompt and one token. */
const SLOW_MS = 2_000

const FIXES: Record<EngineFailure, string> = {
  connection: 'Start it, and check that LANGUAGE_URL names it and that the network leads there.',
  timeout: 'It hangs or is overloaded: look at its log.',
  busy: 'It has no room: add an engine, or lower LANGUAGE_CONCURRENCY.',
  refused: 'Look at its log, and compare it with LANGUAGE_ENGINE, LANGUAGE_MODEL and the key.',
  malformed: 'Let LANGUAGE_ENGINE name what runs there, in a version that docs/operating.md names.',
  mismatch: 'Start it with the model of LLM_PACK: "Language engines" in docs/operating.md.',
}

/** A check of each engine of LANGUAGE_URL. The vocabulary of the pack is loaded once. */
export function listLanguageEngineChecks({ inference }: Pick<Config, 'inference'>): Check[] {
  const { languageEngines: settings } = inference
  if (!settings) return []
  let identity: Promise<ModelIdentity> | undefined
  return settings.urls.map((url, index) => ({
    name: `language engine ${index + 1} of ${settings.urls.length}`,
    run: async (config) => {
      try {
        const expected = await (identity ??= readIdentity(config))
        return await examine(index, { settings, config, expected })
      } catch (error) {
        if (!(error instanceof EngineError)) throw error
        return failed(`${url}: ${error.message}`, FIXES[error.failure])
      }
    },
  }))
}

async function readIdentity(config: Config): Promise<ModelIdentity> {
  const telemetry = { log: SILENT_LOG, metrics: createMetrics() }
  return readModelIdentity(config, telemetry, await openPack(config, config.packs.llm, 'llm'))
}

interface Setting {
  settings: EngineSettings
  config: Config
  expected: ModelIdentity
}

async function examine(index: number, { settings, config, expected }: Setting): Promise<Finding> {
  const { languageApiKey } = config.secrets
  const startedAt = performance.now()
  const engine = createLanguageEngine(settings, index, languageApiKey)
  await within(CHECK_TIMEOUT_MS, (signal) => checkEngine(engine, expected, signal)).finally(() =>
    engine.close(),
  )
  const tookMs = performance.now() - startedAt
  const found = [
    `${settings.urls[index]} serves the model of ${config.packs.llm}`,
    describeLoad(await readLoad(index, settings, languageApiKey)),
    `checked in ${Math.round(tookMs)} ms`,
  ].join(', ')
  if (tookMs < SLOW_MS) return ok(found)
  return warning(found, 'It is busy or too small: add an engine, or lower LANGUAGE_CONCURRENCY.')
}

async function readLoad(
  index: number,
  { urls, engine }: EngineSettings,
  apiKey: string | undefined,
): Promise<EngineLoad | undefined> {
  const client = createEngineClient({ baseUrl: urls[index]!, apiKey, connections: 1 })
  return within(CHECK_TIMEOUT_MS, (signal) => readEngineLoad(client, engine, signal)).finally(() =>
    client.close(),
  )
}

function within<T>(limitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return withLimit(limitMs, new AbortController().signal, work)
}

function describeLoad(load: EngineLoad | undefined): string {
  if (!load) return 'does not say how busy it is'
  return `${load.running} texts in generation and ${load.waiting} waiting`
}
