import { createHmac } from 'node:crypto'
import type { EngineSettings } from '../../../config/language-engine-settings.js'
import { ServiceError } from '../../../core/service-error.js'
import type { Log } from '../../../telemetry/log.js'
import { AdmissionQueue } from '../../workers/admission-queue.js'
import type { ModelHost } from '../../workers/model-host.js'
import type { WorkerEvent } from '../../workers/worker-supervisor.js'
import { EngineError } from '../../engines/engine-error.js'
import { EnginePool } from '../../engines/engine-pool.js'
import type { EngineLoad, EngineReport } from '../../engines/engine-report.js'
import type { EngineChange, PoolTimes } from '../../engines/pooled-engine.js'
import type { Generation, GenerationRequest, LanguageMethods } from '../language.js'
import { summarizeLogprobs } from '../summarize-logprobs.js'
import { checkEngine, identifyEngine } from './check-engine.js'
import { createLanguageEngine, type LanguageEngine } from './language-engine.js'
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
  report: EngineReport
  /** For tests. */
  times?: Partial<PoolTimes>
}

/** The part of a model host that callers of the language model use. */
export type LanguageHost = Omit<ModelHost<LanguageMethods>, 'pid'>

export interface EngineHost extends LanguageHost {
  engines: () => EngineLoad[]
}

const TIMES: Partial<PoolTimes> = {
  // Long enough for a busy engine.
  verifyMs: 10_000,
  checkMs: 5_000,
  // A verification generates a token, for which a busy engine may have no room.
  checksPerVerification: Infinity,
}

/**
 * The language model at completions servers. Prompts are tokenized by the pack's own vocabulary in a worker and sent as token ids, so that text of
 * users never becomes control tokens.
 */
export function createEngineHost(options: EngineHostOptions): EngineHost {
  const { settings, apiKey, onWait, onService, report, times } = options
  const engines = settings.urls.map((_, index) => createLanguageEngine(settings, index, apiKey))
  const pool = new EnginePool<LanguageEngine>({
    engines,
    verify: async (engine, signal) => {
      engine.contextSize = await checkEngine(engine, expected!, signal)
    },
    check: async (engine, signal) => {
      engine.contextSize = await identifyEngine(engine, expected!, signal)
    },
    onChange: (engine, change) => reportChange(options, engine, change),
    report,
    times: { ...TIMES, ...times },
  })
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
    checked = pool.start()
    // `start` and `swap` report it, otherwise the state does.
    checked.catch(() => {})
  })

  async function generate(
    request: GenerationRequest,
    prompt: readonly number[],
    { client, profile, model, contextSize }: LanguageEngine,
    signal: AbortSignal,
  ): Promise<Generation> {
    const { maxTokens, sampling, stop, tenant } = request
    if (prompt.length + maxTokens > contextSize - 1) {
      throw new ServiceError(
        'invalid_request',
        `The texts are too long for the language model, which reads at most ${contextSize} tokens. Send shorter texts.`,
      )
    }
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
        const generation = await pool
          .run((engine, limited) => generate(request, prompt, engine, limited), {
            signal,
            deadline: call.deadline,
            // Candidates of a request share its signal, and their prompts a prefix, which one engine then caches.
            affinity: call.signal,
          })
          .catch((error: unknown) => {
            throw error instanceof EngineError ? toServiceError(error) : error
          })
        call.onTiming?.('language', performance.now() - startedAt)
        return generation
      })
    },
    state: () => (tokenizer.state() === 'ready' ? pool.state : tokenizer.state()),
    info: () => {
      const info = tokenizer.info()
      const device = `${settings.engine}, ${pool.serving} of ${pool.size} engines`
      return info && { ...info, device }
    },
    load: () => queue.load(),
    engines: () => pool.load,
    problem: () => tokenizer.problem() ?? pool.problem,
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
      for (const { close } of engines) close()
    },
  }
}

/** The model of the pack that a started tokenizer has loaded. */
export function identityOf(tokenizer: Pick<ModelHost<TokenizerMethods>, 'info'>): ModelIdentity {
  return JSON.parse(String(tokenizer.info()?.properties.identity)) as ModelIdentity
}

/** The log names engines by their number: addresses may be private. */
function reportChange(
  { log }: EngineHostOptions,
  { name }: LanguageEngine,
  change: EngineChange,
): void {
  const fields = { role: 'language', device: name } as const
  if (change.event === 'ready') log.info('A language engine is ready', fields)
  else log.error('A language engine is away', { ...fields, reason: change.reason })
}

function toServiceError(error: EngineError): ServiceError {
  if (error.failure === 'busy') {
    return new ServiceError('overloaded', 'The language engines are busy. Retry later.', {
      cause: error,
    })
  }
  return unavailable('The language engines cannot answer at present.', error)
}

function unavailable(message: string, cause?: unknown): ServiceError {
  return new ServiceError('model_unavailable', `${message} Retry later.`, { cause })
}
