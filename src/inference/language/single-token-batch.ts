/** The part of one sequence in a round. */
export interface RoundPart {
  /** Tokens to evaluate; 0 if it takes no part. */
  tokens: number
  /** Tokens in the sequence afterwards. */
  length: number
}

/**
 * Up to this length a batch of one token gives the same result as a larger batch. A sequence has cells in steps of 256; from 512
 * on llama.cpp splits the attention of a single token among its threads, which changes the order of additions.
 */
const UNSPLIT_LENGTH = 256

/**
 * Whether a round makes llama.cpp compute a batch of a single token of a long sequence. On several threads its result differs from that
 * in a larger batch, so a text would depend on concurrent calls and one seed would not reproduce it. llama.cpp takes as many tokens
 * of each adjacent sequence as the shortest has, then the rest.
 * @param parts - of all sequences, in order
 */
export function hasSingleTokenBatch(parts: readonly RoundPart[]): boolean {
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
