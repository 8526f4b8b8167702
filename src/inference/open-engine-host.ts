import type { Config } from '../config/config.js'
import type { EngineSettings } from '../config/language-engine-settings.js'
import { reportEngines } from './report-engines.js'
import { openWorkerHost, reportCalls, type HostParts, type Telemetry } from './open-host.js'
import { createEngineHost, type LanguageHost } from './language/engines/engine-host.js'
import type { TokenizerMethods } from './language/engines/tokenizer.js'
import type { ModelHost } from './workers/model-host.js'

const TOKENIZER_ENTRY = new URL(
  '../../dist/inference/language/engines/tokenizer-worker.js',
  import.meta.url,
)

export interface EngineHostParts extends Pick<HostParts, 'settings' | 'onEvent'> {
  engines: EngineSettings
  /** Key of the salts of prefix caches; undefined: none are sent. */
  saltKey: Buffer | undefined
}

/** Opens the worker that has the vocabulary of a pack. */
export function openTokenizer(
  config: Config,
  telemetry: Telemetry,
  { concurrency, ...parts }: Pick<HostParts, 'settings' | 'onEvent'> & { concurrency: number },
): ModelHost<TokenizerMethods> {
  return openWorkerHost<TokenizerMethods>(config, telemetry, {
    ...parts,
    role: 'language',
    entry: TOKENIZER_ENTRY,
    // It tokenizes one text after the other, in less than a millisecond each.
    queue: { concurrency, limit: Number.POSITIVE_INFINITY },
    // Without its vocabulary the engines cannot be used, and it takes little memory.
    idleUnloadMs: 0,
  })
}

/** Opens a host that sends its calls to completions servers and reports to log and metrics. */
export function openEngineHost(
  config: Config,
  telemetry: Telemetry,
  { engines, saltKey, settings, onEvent }: EngineHostParts,
): LanguageHost {
  const role = 'language'
  const { log, metrics } = telemetry
  const { onWait = () => {}, onService = () => {} } = reportCalls(role, telemetry)
  const host = createEngineHost({
    settings: engines,
    apiKey: config.secrets.languageApiKey,
    saltKey,
    openTokenizer: (onTokenizerEvent) =>
      openTokenizer(config, telemetry, {
        concurrency: engines.concurrency,
        settings,
        onEvent: (event) => {
          onEvent?.(event)
          onTokenizerEvent(event)
        },
      }),
    log,
    onWait,
    onService,
    report: reportEngines(role, metrics, () => host.engines()),
  })
  metrics.beforeRead(() => metrics.queueDepth.set({ role }, host.load().waiting))
  return host
}
