import { startUpCall } from '../../../inference/inference-call.js'
import type { LanguageHost } from '../../../inference/language/engines/engine-host.js'
import type { Generation, GenerationRequest } from '../../../inference/language/language.js'
import { inParallel } from './in-parallel.js'

export interface TimedAnswer {
  generation: Generation
  isFailed: boolean
  ms: number
}

const NOTHING: Generation = {
  text: '',
  finishReason: 'stop',
  promptTokens: 0,
  cachedTokens: 0,
  generatedTokens: 0,
  logprob: { mean: 0, min: 0 },
}

/** Generates with so many requests in flight; answers are in the order of the requests. */
export function generateAll(
  host: LanguageHost,
  requests: readonly GenerationRequest[],
  concurrency: number,
  onDone: () => void = () => {},
): Promise<TimedAnswer[]> {
  return inParallel(requests, concurrency, async (request) => {
    const startedAt = performance.now()
    const generation = await host
      .call('generate', request, startUpCall())
      .catch((error: unknown) => {
        console.error(error)
        return undefined
      })
    const ms = performance.now() - startedAt
    onDone()
    return { generation: generation ?? NOTHING, isFailed: !generation, ms }
  })
}
