import type { GenerationRequest } from '../../../inference/language/language.js'
import type { Prompts } from '../../../inference/language/prompts.js'
import { STYLE_NAMES, TONES } from '../../../openers/styles.js'
import { readExamplePairs } from '../example-calls.js'

/** Openers have 20 to 30 tokens. */
const MAX_TOKENS = 32

/**
 * Requests for openers of different profiles, styles and tones.
 * @param temperature - 0: the most probable token every time
 */
export function createOpenerRequests(
  prompts: Prompts,
  { count, temperature }: { count: number; temperature: number },
): GenerationRequest[] {
  const pairs = readExamplePairs()
  return Array.from({ length: count }, (_, index) => {
    const { sender, recipient } = pairs[index % pairs.length]!
    const prompt = prompts.opener({
      recipient: { bio: recipient.bio, photos: [], likes: recipient.interests },
      sender: { name: sender.name, likes: sender.interests },
      tone: TONES[Math.floor(index / STYLE_NAMES.length) % TONES.length]!,
      style: STYLE_NAMES[index % STYLE_NAMES.length]!,
    })
    const sampling = { ...prompts.sampling, temperature, seed: index + 1 }
    return { ...prompt, maxTokens: MAX_TOKENS, sampling, stop: ['\n'] }
  })
}
