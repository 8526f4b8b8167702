import { getLlama, LlamaLogLevel, type Llama } from 'node-llama-cpp'
import type { LanguageSettings } from './language-settings.js'
import type { LanguageMethods } from './language.js'
import type { LoadedWorker } from '../workers/worker-runtime.js'
import { createChatFormat } from './chat-format.js'
import { createSamplerCollector } from './collect-samplers.js'
import { generateText, warmUp } from './generate-text.js'
import { ParallelDecoder } from './parallel-decoder.js'
import { RoundThreads } from './round-threads.js'

/**
 * Prompt tokens in a round, during which answers in progress wait: a third of a second of a small model on two cores. From 64 tokens of a
 * sequence on llama.cpp's flash attention gives other results on a CPU, so a text would depend on how much of its prompt was cached.
 */
const PROMPT_TOKENS = {
  cpu: { perRound: 126, perSharedRound: 24, perSequence: 63 },
  gpu: { perRound: 512, perSharedRound: 128, perSequence: 512 },
}

/**
 * Loads a GGUF model with its adapter and evaluates the system turn.
 * @throws Error when the file cannot be loaded, or the setting is `gpu` and there is none
 */
export async function loadLlama(
  settings: LanguageSettings,
): Promise<LoadedWorker<LanguageMethods>> {
  const log: string[] = []
  let isLoading = true
  try {
    // Later messages could quote a call.
    return await load(settings, (line) => void (isLoading && log.push(line)))
  } catch (error) {
    throw withReason(error, log)
  } finally {
    isLoading = false
  }
}

async function load(
  settings: LanguageSettings,
  onError: (line: string) => void,
): Promise<LoadedWorker<LanguageMethods>> {
  const { sequences, threads } = settings
  const llama = await getLlama({
    gpu: settings.device === 'cpu' ? false : 'auto',
    maxThreads: threads,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logLevel: LlamaLogLevel.error,
    logger: (_level, line) => onError(line),
  })
  requireDevice(llama, settings)
  const model = await llama.loadModel({
    modelPath: settings.model,
    gpuLayers: placeLayers(settings),
  })
  const contextSize = Math.min(settings.contextSize, model.trainContextSize)
  const promptTokens = PROMPT_TOKENS[llama.gpu ? 'gpu' : 'cpu']
  const context = await model.createContext({
    contextSize,
    sequences,
    threads,
    lora: settings.adapter,
    // The largest round; memory grows with it.
    batchSize: promptTokens.perRound + sequences,
    flashAttention: llama.gpu ? 'auto' : true,
  })
  const format = createChatFormat(model)
  const roundThreads = new RoundThreads({ threads })
  const decoder = new ParallelDecoder(context, {
    promptTokens,
    onSampler: createSamplerCollector(),
    runRound: async ({ tokens, hasSingleTokenBatch }, evaluate) => {
      if (llama.gpu) return evaluate()
      if (hasSingleTokenBatch) {
        llama.maxThreads = 1
        return evaluate()
      }
      await roundThreads.measure(tokens, (count) => {
        llama.maxThreads = count
        return evaluate()
      })
    },
  })
  const generator = { model, format, decoder, contextSize: context.contextSize }
  await warmUp(generator, settings)
  return {
    info: {
      packs: [settings.pack],
      device: llama.gpu || 'cpu',
      threads: context.idealThreads,
      properties: {},
    },
    methods: { generate: (request, { signal }) => generateText(generator, request, signal) },
    dispose: () => llama.dispose(),
  }
}

function placeLayers({ gpuLayers, contextSize, sequences }: LanguageSettings) {
  if (gpuLayers !== 'auto') return gpuLayers
  return { fitContext: { contextSize: contextSize * sequences } }
}

function requireDevice(llama: Llama, { device }: LanguageSettings): void {
  if (device !== 'gpu' || llama.gpu !== false) return
  throw new Error('DEVICE is gpu, but llama.cpp finds no GPU that it can use on this machine.')
}

/** node-llama-cpp reports that a model failed to load; the reason is only in llama.cpp's log. */
function withReason(error: unknown, log: readonly string[]): Error {
  const message = error instanceof Error ? error.message : 'The model could not be loaded.'
  return new Error([message, ...log.map((line) => line.trim())].join(' | ').slice(0, 1_000), {
    cause: error,
  })
}
