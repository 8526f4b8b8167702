/** A token sequence of the language model as the choice of one sees it. */
export interface SequenceView {
  /** What is in it, or for a busy one the prompt that is being evaluated into it. */
  tokens: readonly number[]
  /** How many of `tokens` are evaluated already. */
  evaluated: number
  isBusy: boolean
  /** Grows with every use. */
  lastUsed: number
}

export type SequenceChoice =
  | { index: number; copyFrom?: { index: number; tokens: number } }
  /** A busy sequence is about to have evaluated what this prompt begins with. */
  | 'wait'

/** Tokens from which on reuse is worth an effort: evaluating them takes longer than copying a whole sequence. */
const WORTHWHILE_TOKENS = 32

export interface SequenceDemand {
  /** Whether what is evaluated in one sequence can be copied to another. */
  canCopy: boolean
  /** Prompts that want a sequence, this one included. */
  waiting: number
  /** Tokens at the end of the prompt that are evaluated even if they are known. */
  freshTokens: number
}

/**
 * Chooses the idle sequence in which a prompt costs least: the one that begins like it, else one beside a busy one, of
 * these the one that has most of it, else the one unused longest; filled from a busy one where that begins like the
 * prompt. Undefined when none is idle.
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
    // llama.cpp evaluates only sequences that follow on each other in one go: a gap halves the speed.
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
  // Where all are about to be busy, none leaves a gap.
  const takesClosest = waiting >= idle.length || closest.shared - beside.shared >= WORTHWHILE_TOKENS
  const own = takesClosest ? closest : beside
  const donor = canCopy ? findClosest(candidates.filter(({ view }) => view.isBusy)) : undefined
  if (!donor || donor.shared - own.shared < WORTHWHILE_TOKENS) return { index: own.index }
  if (donor.view.evaluated < donor.shared) return 'wait'
  return { index: free.index, copyFrom: { index: donor.index, tokens: donor.shared } }
}

/** The first of those that share most. */
function findClosest<T extends { shared: number }>(candidates: readonly T[]): T | undefined {
  return candidates.toSorted((a, b) => b.shared - a.shared)[0]
}

/** Tokens at the beginning that both have. */
function countShared(prompt: readonly number[], tokens: readonly number[]): number {
  const limit = Math.min(prompt.length, tokens.length)
  let shared = 0
  while (shared < limit && prompt[shared] === tokens[shared]) shared++
  return shared
}
