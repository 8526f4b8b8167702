/** A token sequence of the language model, as input of the choice. */
export interface SequenceView {
  /** Its tokens, or for a busy one the prompt being evaluated. */
  tokens: readonly number[]
  /** Evaluated tokens of `tokens`. */
  evaluated: number
  isBusy: boolean
  /** Grows with every use. */
  lastUsed: number
}

export type SequenceChoice =
  | { index: number; copyFrom?: { index: number; tokens: number } }
  /** A busy sequence is about to evaluate a prefix of this prompt. */
  | 'wait'

/** Minimum prefix worth reusing: evaluating it takes longer than copying a whole sequence. */
const WORTHWHILE_TOKENS = 32

export interface SequenceDemand {
  /** Whether evaluated tokens can be copied between sequences. */
  canCopy: boolean
  /** Prompts that wait for a sequence, this one included. */
  waiting: number
  /** Tokens at the end of the prompt that are evaluated even if cached. */
  freshTokens: number
}

/**
 * Chooses the cheapest idle sequence for a prompt: one adjacent to busy sequences, or the one with the longest common prefix if that
 * prefix is much longer or all sequences are about to be busy. Ties go to the longer prefix, then to the least recently used. If a
 * busy sequence has a much longer prefix, it is copied. Undefined when none is idle.
 */
export function chooseSequence(
  prompt: readonly number[],
  sequences: readonly SequenceView[],
  { canCopy, waiting, freshTokens }: SequenceDemand,
): SequenceChoice | undefined {
  const known = prompt.slice(0, -freshTokens)
  const candidates = sequences.map((view, index) => ({
    index,
    view,
    shared: countShared(known, view.tokens),
    // llama.cpp evaluates only adjacent sequences in one go: a gap halves the speed.
    busyNeighbours: [index - 1, index + 1].filter((i) => sequences[i]?.isBusy).length,
  }))
  const idle = candidates
    .filter(({ view }) => !view.isBusy)
    .sort((a, b) => b.busyNeighbours - a.busyNeighbours || a.view.lastUsed - b.view.lastUsed)
  const [free] = idle
  if (!free) return undefined
  const closest = findClosest(idle) ?? free
  const beside =
    findClosest(idle.filter((each) => each.busyNeighbours === free.busyNeighbours)) ?? free
  // When all are about to be busy, no choice leaves a gap.
  const takesClosest = waiting >= idle.length || closest.shared - beside.shared >= WORTHWHILE_TOKENS
  const own = takesClosest ? closest : beside
  const donor = canCopy ? findClosest(candidates.filter(({ view }) => view.isBusy)) : undefined
  if (!donor || donor.shared - own.shared < WORTHWHILE_TOKENS) return { index: own.index }
  if (donor.view.evaluated < donor.shared) return 'wait'
  return { index: free.index, copyFrom: { index: donor.index, tokens: donor.shared } }
}

/** The first sequence with the longest common prefix. */
function findClosest<T extends { shared: number }>(candidates: readonly T[]): T | undefined {
  return candidates.toSorted((a, b) => b.shared - a.shared)[0]
}

/** Length of the common prefix. */
function countShared(prompt: readonly number[], tokens: readonly number[]): number {
  const limit = Math.min(prompt.length, tokens.length)
  let shared = 0
  while (shared < limit && prompt[shared] === tokens[shared]) shared++
  return shared
}
