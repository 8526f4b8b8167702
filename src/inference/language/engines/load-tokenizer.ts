import path from 'node:path'
import { getLlama, LlamaLogLevel, type LlamaModel } from 'node-llama-cpp'
import type { LoadedWorker } from '../../workers/worker-runtime.js'
import { createChatFormat } from '../chat-format.js'
import type {
  ModelIdentity,
  ModelVariant,
  TokenizerMethods,
  TokenizerSettings,
} from './tokenizer.js'

/** Letters of several scripts, digits, spaces, line ends and a character outside the basic plane: vocabularies differ in these. */
const PROBE_TEXT =
  "It's 2026 and Zoë's café sold 1,234 pancakes…  naïve façade\n\tПривет, 你好, नमस्ते 🦒 http://x.y/?a=b"

/**
 * Loads the vocabulary of a pack, without its weights.
 * @throws Error when a file cannot be loaded or has no chat template
 */
export async function loadTokenizer(
  settings: TokenizerSettings,
): Promise<LoadedWorker<TokenizerMethods>> {
  const llama = await getLlama({
    gpu: false,
    maxThreads: 1,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logLevel: LlamaLogLevel.disabled,
  })
  const load = (modelPath: string) => llama.loadModel({ modelPath, vocabOnly: true })
  const [first, ...others] = settings.weights
  if (!first) throw new Error('The pack names no model file.')
  const model = await load(first.model)
  const variants = [describeVariant(model, first)]
  for (const weights of others) {
    const other = await load(weights.model)
    variants.push(describeVariant(other, weights))
    await other.dispose()
  }
  const format = createChatFormat(model)
  const identity: ModelIdentity = {
    ...describeVocabulary(model),
    variants,
    sample: format.tokenize([{ role: 'user', text: 'Hello' }]),
    contextSize: Math.min(settings.contextSize, trainContextSize(model) ?? Infinity),
  }
  return {
    info: {
      packs: [settings.pack],
      device: 'cpu',
      threads: 1,
      properties: { identity: JSON.stringify(identity) },
    },
    methods: { tokenize: async ({ turns, prefill }) => format.tokenize(turns, prefill) },
    dispose: () => llama.dispose(),
  }
}

function describeVocabulary(model: LlamaModel) {
  const { ggml, chat_template: chatTemplate = '' } = model.fileInfo.metadata.tokenizer
  const ids = Array.from(ggml.tokens.keys())
  const endTokens = ids.filter((id) => model.isEogToken(id as Token))
  return {
    vocabSize: ids.length,
    chatTemplate,
    endTokens,
    probes: [probe(model, PROBE_TEXT), probe(model, endTexts(model, endTokens))],
  }
}

type Token = Parameters<LlamaModel['isEogToken']>[0] & number

function probe(model: LlamaModel, text: string) {
  return { text, tokens: [...model.tokenize(text, true)] }
}

/** The names of the end tokens, one after the other. */
function endTexts(model: LlamaModel, endTokens: readonly number[]): string {
  return endTokens.map((id) => model.detokenize([id as Token], true)).join('')
}

function describeVariant(
  model: LlamaModel,
  { model: file, adapter }: TokenizerSettings['weights'][number],
): ModelVariant {
  const tensors = model.fileInfo.fullTensorInfo ?? []
  return {
    file: path.basename(file),
    adapter: adapter === undefined ? undefined : path.basename(adapter),
    parameters: tensors.reduce((sum, { dimensions }) => sum + countValues(dimensions), 0),
    sizeBytes: model.size,
  }
}

function countValues(dimensions: readonly (number | bigint)[]): number {
  return dimensions.reduce<number>((product, length) => product * Number(length), 1)
}

/** A vocabulary alone does not report it. */
function trainContextSize({ fileInfo }: LlamaModel): number | undefined {
  const { context_length: length } = fileInfo.architectureMetadata
  return length === undefined || length === 0 ? undefined : Number(length)
}
