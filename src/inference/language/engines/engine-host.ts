import { createHmac } from 'node:crypto'
import type { EngineSettings } from '../../../config/language-engine-settings.js'
import { ServiceError } from '../../../core/service-error.js'
import type { Log } from '../../../telemetry/log.js'
import { AdmissionQueue } from '../../workers/admission-queue.js'
import type { ModelHost } from '../../workers/model-host.js'
import type { WorkerEvent } from '../../workers/worker-supervisor.js'
import type { Generation, GenerationRequest, LanguageMethods } from '../language.js'
import { summarizeLogprobs } from '../summarize-logprobs.js'
import type { BackendOptions, EngineBackend, EngineEvent } from './engine-backend.js'
import { createEngineClient } from './engine-client.js'
import { EnginePool } from './engine-pool.js'
import type { EngineProfile } from './engine-profile.js'
import { LLAMA_SERVER } from './llama-server-profile.js'
import { SGLANG, VLLM } from './openai-profile.js'
import type { ModelIdentity, TokenizerMethods } from './tokenizer.js'

export interface EngineHostOptions {
  settings: EngineSettings
  apiKey: string | undefined
  /** Key of the cache salts, the same for all replicas; undefined: none are sent. */
  saltKey: Buffer | undefined
  /**
   * Opens the vocabulary of the pack in use.
   * @param onEvent - to be called with the events of its worker
   */
  openTokenizer: (onEvent: (event: WorkerEvent) => void) => ModelHost<TokenizerMethods>
  log: Log
  /** Milliseconds a call waited before it was sent. */
  onWait: (waitedMs: number) => void
  /** Milliseconds an engine took for a call that it answered. */
  onService: (method: string, serviceMs: number) => void
  /** @param engine - its number in LANGUAGE_URL, from 1 */
  onEngine: (engine: number, event: EngineEvent) => void
  onRetry: () => void
  /** Times of the engines' checks; for tests. */
  timing?: Pick<BackendOptions, 'checkMs' | 'checkTimeoutMs' | 'maxBackOffMs'>
}

/** The part of a model host that callers of the language model use. */
export type LanguageHost = Omit<ModelHost<LanguageMethods>, 'pid'>

const PROFILES: Record<EngineSettings['engine'], EngineProfile> = {
  vllm: VLLM,
  sglang: SGLANG,
  'llama-server': LLAMA_SERVER,
}

/**
 * The language model at completions servers. Prompts are tokenized by the pack's own vocabulary in a worker and sent as token ids, so that text of
 * users never becomes control tokens.
 */
export function createEngineHost(options: EngineHostOptions): LanguageHost {
  const { settings, onWait, onService, onRetry } = options
  const pool = new EnginePool({ backends: createBackends(options), onRetry })
  const queue = new AdmissionQueue({
    concurrency: settings.concurrency,
    limit: Number.POSITIVE_INFINITY,
    keepsPlacesFree: 'whileShared',
    onStart: onWait,
  })

  let expected: ModelIdentity | undefined
  let checked: Promise<void> = Promise.resolve()
  const tokenizer = options.openTokenizer((event) => {
    if (event !== 'started' && event !== 'swapped') return
    expected = identityOf(tokenizer)
    checked = pool.start(expected)
    // `start` and `swap` report it, otherwise the state does.
    checked.catch(() => {})
  })

  async function generate(
    request: GenerationRequest,
    prompt: readonly number[],
    backend: EngineBackend,
    signal: AbortSignal,
  ): Promise<Generation> {
    const { maxTokens, sampling, stop, tenant } = request
    if (prompt.length + maxTokens > backend.contextSize - 1) {
      throw new ServiceError(
        'invalid_request',
        `The texts are too long for the language model, which reads at most ${backend.contextSize} tokens. Send shorter texts.`,
      )
    }
    const { client, profile, model } = backend.engine
    const startedAt = performance.now()
    const { endTokens } = expected!
    const completion = await profile.complete(
      client,
      {
        prompt,
        maxTokens,
        sampling,
        stop: stop.filter(Boolean),
        endTokens,
        cacheSalt: saltOf(tenant),
      },
      { model, signal },
    )
    onService('generate', performance.now() - startedAt)
    const { text, finishReason, cachedTokens, logprobs } = completion
    return {
      text,
      finishReason,
      promptTokens: prompt.length,
      cachedTokens: Math.min(cachedTokens, prompt.length),
      generatedTokens: logprobs.length,
      logprob: summarizeLogprobs(logprobs),
    }
  }

  function saltOf(tenant: string | undefined): string | undefined {
    const { saltKey } = options
    if (!saltKey) return undefined
    return createHmac('sha256', saltKey)
      .update(tenant ?? '')
      .digest('base64url')
  }

  return {
    call: async (_method, request, call) => {
      if (pool.state === 'closed') throw unavailable('The service is shutting down.')
      const queuedAt = performance.now()
      return queue.run(call, async (signal) => {
        const startedAt = performance.now()
        call.onTiming?.('queue', startedAt - queuedAt)
        const { turns, prefill } = request
        // Its queue must not count as waiting for the model.
        const prompt = await tokenizer.call(
          'tokenize',
          { turns, prefill },
          { ...call, signal, onTiming: undefined },
        )
        const generation = await pool.run(call, signal, (backend, attempt) =>
          generate(request, prompt, backend, attempt),
        )
        call.onTiming?.('language', performance.now() - startedAt)
        return generation
      })
    },
    state: () => (tokenizer.state() === 'ready' ? pool.state : tokenizer.state()),
    info: () => {
      const info = tokenizer.info()
      const device = `${settings.engine}, ${pool.usable} of ${pool.size} engines`
      return info && { ...info, device }
    },
    load: () => queue.load(),
    problem: () => tokenizer.problem() ?? (pool.usable > 0 ? undefined : pool.problem),
    start: async () => {
      await tokenizer.start()
      await checked
    },
    swap: async () => {
      // Nothing is tokenized by a vocabulary that no engine has been compared with.
      queue.pause()
      try {
        await tokenizer.swap()
        await checked
      } finally {
        queue.resume()
      }
    },
    close: async (limitMs) => {
      pool.close()
      queue.pause()
      queue.rejectWaiting(unavailable('The service is shutting down.'))
      await tokenizer.close(limitMs)
    },
  }
}

function identityOf(tokenizer: ModelHost<TokenizerMethods>): ModelIdentity {
  return JSON.parse(String(tokenizer.info()?.properties.identity)) as ModelIdentity
}

function createBackends(options: EngineHostOptions): BackendOptions[] {
  const { settings, apiKey, log, onEngine, timing } = options
  return settings.urls.map((url, index) => ({
    ...timing,
    label: `engine ${index + 1} of ${settings.urls.length}`,
    client: createEngineClient(url, apiKey),
    profile: PROFILES[settings.engine],
    model: settings.model,
    log,
    onEvent: (event: EngineEvent) => onEngine(index + 1, event),
  }))
}

function unavailable(message: string): ServiceError {
  return new ServiceError('model_unavailable', `${message} Retry later.`)
}
