import type { EngineName, EngineSettings } from '../../../../src/config/language-engine-settings.js'
import type { InferenceCall } from '../../../../src/inference/inference-call.js'
import {
  createEngineHost,
  type EngineHostOptions,
  type LanguageHost,
} from '../../../../src/inference/language/engines/engine-host.js'
import type {
  ModelIdentity,
  TokenizerMethods,
} from '../../../../src/inference/language/engines/tokenizer.js'
import type { GenerationRequest } from '../../../../src/inference/language/language.js'
import type { ModelHost } from '../../../../src/inference/workers/model-host.js'
import { createRecordingLog } from '../../workers/_fixture-host.js'
import { ENGINE_KEY, type FakeEngine } from './_fake-engine.js'
import { CHAT_TEMPLATE, tokenizeTiny } from './_tiny-vocabulary.js'

const probe = (text: string) => ({ text, tokens: tokenizeTiny(text) })

export const TINY_IDENTITY: ModelIdentity = {
  vocabSize: 260,
  chatTemplate: CHAT_TEMPLATE,
  variants: [{ file: 'tiny.gguf', parameters: 4, sizeBytes: 16 }],
  endTokens: [0, 2],
  probes: [probe('Zoë’s 12 cafés'), probe('<|endoftext|><|im_end|>')],
  sample: tokenizeTiny('<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n'),
  contextSize: 512,
}

export interface HostFixture {
  host: LanguageHost
  log: ReturnType<typeof createRecordingLog>
  events: string[]
}

/** An engine host with the tiny vocabulary, without a worker process. */
export function openFixtureHost(
  engine: EngineName,
  engines: readonly FakeEngine[],
  options: Partial<EngineHostOptions> & { settings?: EngineSettings } = {},
): HostFixture {
  const log = createRecordingLog()
  const events: string[] = []
  const host = createEngineHost({
    settings: {
      urls: engines.map(({ url }) => url),
      engine,
      model: engine === 'llama-server' ? undefined : 'openers',
      concurrency: 32,
    },
    apiKey: ENGINE_KEY,
    saltKey: Buffer.alloc(32),
    openTokenizer: openTinyTokenizer,
    log,
    onWait: () => {},
    onService: () => {},
    report: {
      onEvent: (number, event) => events.push(`${number} ${event}`),
      onAttempt: () => {},
      onRetry: () => events.push('retry'),
    },
    times: { checkMs: 50, retryMs: 50, maxRetryMs: 50 },
    ...options,
  })
  return { host, log, events }
}

const openTinyTokenizer: EngineHostOptions['openTokenizer'] = (onEvent) => {
  let isStarted = false
  return {
    call: async (_method, { turns, prefill = '' }) =>
      tokenizeTiny(`${turns.map(({ text }) => text).join('\n')}\n${prefill}`),
    state: () => (isStarted ? 'ready' : 'unloaded'),
    info: () =>
      isStarted
        ? {
            packs: ['tiny'],
            device: 'cpu',
            threads: 1,
            properties: { identity: JSON.stringify(TINY_IDENTITY) },
            isolation: { filtered: false, networkNamespace: false },
          }
        : undefined,
    load: () => ({ waiting: 0, running: 0 }),
    problem: () => undefined,
    pid: () => undefined,
    start: async () => {
      isStarted = true
      onEvent('started')
    },
    swap: async () => onEvent('swapped'),
    close: async () => {},
  } as ModelHost<TokenizerMethods>
}

/** A call of a request; calls of one request share the signal. */
export function engineCall(changes: Partial<InferenceCall> = {}): InferenceCall {
  return {
    signal: new AbortController().signal,
    deadline: Date.now() + 20_000,
    priority: 'openers',
    tenant: { id: 'org:live', weight: 1 },
    ...changes,
  }
}

export function engineRequest(changes: Partial<GenerationRequest> = {}): GenerationRequest {
  return {
    turns: [{ role: 'user', text: 'Write.' }],
    maxTokens: 64,
    sampling: { temperature: 0.5, minP: 0.09, seed: 7 },
    stop: ['\n'],
    tenant: 'org:live',
    ...changes,
  }
}
