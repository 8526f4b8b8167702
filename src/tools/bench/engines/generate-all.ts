import { startUpCall } from '../../../inference/inference-call.js'
import type { LanguageHost } from '../../../inference/language/engines/engine-host.js'
import type { Generation, GenerationRequest } from '../../../inference/language/language.js'

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
export async function generateAll(
  host: LanguageHost,
  requests: readonly GenerationRequest[],
  concurrency: number,
  onDone: () => void = () => {},
): Promise<TimedAnswer[]> {
  const answers: TimedAnswer[] = []
  const rest = requests.entries()
  async function work(): Promise<void> {
    for (const [index, request] of rest) {
      const startedAt = performance.now()
      const generation = await host
        .call('generate', request, startUpCall())
        .catch((error: unknown) => {
          console.error(error)
          return undefined
        })
      const ms = performance.now() - startedAt
      answers[index] = { generation: generation ?? NOTHING, isFailed: !generation, ms }
      onDone()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return answers
}
