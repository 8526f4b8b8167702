/** - `ended`: holds an answer that is complete and could go on unread */
export type SequenceState = 'busy' | 'ended' | 'idle'

/** Sequences that follow on each other, from `start` to before `end`. */
interface Run {
  start: number
  end: number
}

/**
 * Indices of ended sequences that should go on, in order, for the sake of busy ones on both sides: llama.cpp computes
 * in one go only what follows on each other. Six tokens of eight sequences of which two in between have ended take
 * 52 ms in three goes, and 31 together with two tokens that nobody reads.
 */
export function gapsWorthFilling(states: readonly SequenceState[]): number[] {
  const filled: number[] = []
  let last: Run | undefined
  for (const run of busyRuns(states)) {
    const gap = { start: last?.end ?? run.start, end: run.start }
    const whole = { start: last?.start ?? run.start, end: run.end }
    const isWorthIt = last && costOf(whole) < costOf(last) + costOf(run)
    if (isWorthIt && states.slice(gap.start, gap.end).every((state) => state === 'ended')) {
      filled.push(...indicesOf(gap))
      last = whole
    } else {
      last = run
    }
  }
  return filled
}

/**
 * What evaluating a token of each costs, where one more in a run costs 1. SmolLM2-135M in Q8_0 on two cores takes 8 ms
 * for a run of one, 18 for two, 31 for eight, and 38 for twelve.
 */
function costOf({ start, end }: Run): number {
  const length = end - start
  return length === 1 ? 4 : 7 + length
}

function busyRuns(states: readonly SequenceState[]): Run[] {
  const runs: Run[] = []
  for (const [index, state] of states.entries()) {
    if (state !== 'busy') continue
    const last = runs.at(-1)
    if (last?.end === index) last.end += 1
    else runs.push({ start: index, end: index + 1 })
  }
  return runs
}

function indicesOf({ start, end }: Run): number[] {
  return Array.from({ length: end - start }, (_, i) => start + i)
}
