import type { Token } from 'node-llama-cpp'
import type { DecodingJob } from '../../../src/inference/language/decoding-task.js'
import { trySingleTokens } from '../../../src/inference/language/single-tokens.js'
import type { ParallelDecoder } from '../../../src/inference/language/parallel-decoder.js'

/** Is as sure of what follows a prompt as the prompt is long, and a little surer where a token alone tells it. */
function createDecoder(surer: (length: number) => number) {
  const lengths: number[] = []
  const decoder = {
    trustsSingleTokens: false,
    run: async ({ prompt, take }: DecodingJob) => {
      const { length } = prompt
      lengths.push(length)
      take(0 as Token, length / 100 + (decoder.trustsSingleTokens ? surer(length) : 0))
      return { cachedTokens: 0 }
    },
  }
  return { decoder, lengths }
}

async function trusts(surer: (length: number) => number, promptLength = 50) {
  const { decoder, lengths } = createDecoder(surer)
  const prompt = Array.from({ length: promptLength }, (_, index) => index as Token)
  await trySingleTokens(decoder as unknown as ParallelDecoder, prompt)
  return { isTrusting: decoder.trustsSingleTokens, lengths }
}

describe('the trial of single tokens', () => {
  it('trusts them where all of its prompts give the same', async () => {
    const { isTrusting, lengths } = await trusts(() => 0)

    expect(isTrusting).toBe(true)
    expect(new Set(lengths).size).toBeGreaterThan(2)
  })

  it('does not trust them where one prompt gives something else in the last bit', async () => {
    const { isTrusting } = await trusts((length) => (length === 50 ? 0 : Number.EPSILON))

    expect(isTrusting).toBe(false)
  })

  it('needs no more than a prompt of two tokens', async () => {
    const { isTrusting, lengths } = await trusts(() => 0, 2)

    expect(isTrusting).toBe(true)
    expect(Math.min(...lengths)).toBe(2)
  })
})
