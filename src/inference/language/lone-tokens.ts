/** What a round does with a sequence. */
export interface RoundPart {
  /** How many of its tokens are evaluated; 0 where it takes no part. */
  tokens: number
  /** How many tokens it has afterwards. */
  length: number
}

/**
 * Tokens of a sequence up to which one alone is attended to as beside others. A sequence has places for them in steps
 * of 256; from 512 on llama.cpp splits the attention of a lone token among its threads, and adds up in another order.
 */
const UNSPLIT_LENGTH = 256

/**
 * Whether llama.cpp computes a single token of a long sequence on its own in a round, with another result than beside
 * others unless it has one thread. It computes in one go as many tokens of each sequence as the one with fewest has,
 * of sequences that follow on each other, and then what is left of them.
 * @param parts - of all sequences, in order
 */
export function hasLoneToken(parts: readonly RoundPart[]): boolean {
  const left = parts.map(({ tokens }) => tokens)
  for (;;) {
    const from = left.findIndex((tokens) => tokens > 0)
    if (from < 0) return false
    const gap = left.indexOf(0, from)
    const to = gap < 0 ? left.length : gap
    const each = Math.min(...left.slice(from, to))
    if (to - from === 1 && each === 1 && parts[from]!.length > UNSPLIT_LENGTH) return true
    for (let index = from; index < to; index++) left[index]! -= each
  }
}
