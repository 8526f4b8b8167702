import type {
  TokenizerMethods,
  TokenizerSettings,
} from '../../../inference/language/engines/tokenizer.js'
import type { GenerationRequest } from '../../../inference/language/language.js'
import type { LlmPack } from '../../../packs/open-pack.js'
import { llmWeights } from '../../../packs/role-sections.js'
import { startStandaloneWorker } from '../service/start-standalone-worker.js'
import type { BareRequest } from './bare-client.js'

const ENTRY = new URL('../../../inference/language/engines/tokenizer-worker.js', import.meta.url)

/** Turns requests of the service into token ids, as the service does. */
export async function toBareRequests(
  { name, llm }: LlmPack,
  requests: readonly GenerationRequest[],
): Promise<BareRequest[]> {
  const settings: TokenizerSettings = {
    pack: name,
    weights: [llmWeights(llm)],
    contextSize: llm.contextSize,
  }
  const worker = await startStandaloneWorker<TokenizerMethods>('language', settings, ENTRY)
  try {
    const bare: BareRequest[] = []
    for (const { turns, prefill, maxTokens, sampling, stop } of requests) {
      const prompt = await worker.call('tokenize', { turns, prefill })
      bare.push({ prompt, maxTokens, sampling, stop })
    }
    return bare
  } finally {
    await worker.drain()
  }
}
