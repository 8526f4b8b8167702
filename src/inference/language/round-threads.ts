/**
 * Work of a round, in bytes of weights times tokens, below which a second thread costs more than it gains. Measured
 * with 98 MB on two cores: one token 95 to 105 a second on one thread and 75 to 120 on two, three tokens 105 and 150.
 * With another process on one of the cores it is 85 and 12, because the threads wait for each other in busy loops.
 */
const SHARED_WORK_BYTES = 256 * 1024 * 1024

/** How many of its threads a CPU should use to evaluate this many tokens in one batch. */
export function chooseThreads(
  tokens: number,
  { modelBytes, threads }: { modelBytes: number; threads: number },
): number {
  return tokens * modelBytes < SHARED_WORK_BYTES ? 1 : threads
}
