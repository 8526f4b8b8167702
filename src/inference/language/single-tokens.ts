import type { Token } from 'node-llama-cpp'
import type { Sampling } from './language.js'
import type { ParallelDecoder } from './parallel-decoder.js'

/** How many tokens shorter the prompts are that are tried. */
const SHORTER = [0, 5, 10, 15]
/** Sampled, so that the share of the token tells of all the logits. */
const SAMPLING: Sampling = { temperature: 1, minP: 0, seed: 1 }

/**
 * Finds out whether a token alone gives what it gives beside others, to the last bit. It does where llama.cpp computes
 * both alike; for AMX it has kernels of their own for a single token.
 */
export async function trySingleTokens(
  decoder: ParallelDecoder,
  prompt: readonly Token[],
): Promise<void> {
  const beside = await sharesOfNext(decoder, prompt)
  decoder.trustsSingleTokens = true
  const alone = await sharesOfNext(decoder, prompt)
  decoder.trustsSingleTokens = beside.every((share, index) => share === alone[index])
}

/** What the token sampled after the prompt, and after shorter ones, has of the probability. */
async function sharesOfNext(decoder: ParallelDecoder, prompt: readonly Token[]): Promise<number[]> {
  const shares: number[] = []
  for (const length of SHORTER.map((tokens) => Math.max(2, prompt.length - tokens))) {
    await decoder.run({
      prompt: prompt.slice(0, length),
      sampling: SAMPLING,
      take: (_, share) => {
        shares.push(share)
        return false
      },
      signal: new AbortController().signal,
    })
  }
  return shares
}
