import { setTimeout as sleep } from 'node:timers/promises'

/** Total size of the bodies that are prepared before the first request. */
const MAX_PREPARED_BYTES = 150e6

/** When a call was due, and how long after that its outcome arrived. */
export interface CallTiming {
  /** Milliseconds since the start of the load. */
  dueMs: number
  /** From the due time, so a generator or server that falls behind hides nothing. */
  latencyMs: number
}

/**
 * Draws arrival times of an open loop: they do not depend on answers. Gaps are exponential, as between independent users,
 * so arrivals cluster.
 * @returns milliseconds since the start, ascending
 */
export function drawArrivals(load: { perSecond: number; seconds: number }): number[] {
  const times: number[] = []
  const meanGapMs = 1_000 / load.perSecond
  for (let dueMs = 0; dueMs < load.seconds * 1_000; dueMs += drawExponential(meanGapMs)) {
    times.push(dueMs)
  }
  return times
}

/** Starts a call at each of the times, whether or not earlier calls are answered. */
export async function callAt<Outcome extends object>(
  times: readonly number[],
  call: () => Promise<Outcome>,
): Promise<(Outcome & CallTiming)[]> {
  const startedAt = performance.now()
  const outcomes: Promise<Outcome & CallTiming>[] = []
  for (const dueMs of times) {
    const aheadMs = startedAt + dueMs - performance.now()
    if (aheadMs > 0) await sleep(aheadMs)
    outcomes.push(
      call().then((outcome) => ({
        ...outcome,
        dueMs,
        latencyMs: performance.now() - startedAt - dueMs,
      })),
    )
  }
  return Promise.all(outcomes)
}

/**
 * Serializes bodies in advance, so that this takes no processor time from the server under load. Bodies beyond 150 MB are
 * made on demand.
 * @returns takes the next body
 */
export function prepareBodies(createBody: () => unknown, count: number): () => Buffer {
  const next = () => Buffer.from(JSON.stringify(createBody()))
  const prepared: Buffer[] = []
  for (let bytes = 0; prepared.length < count && bytes < MAX_PREPARED_BYTES;) {
    const body = next()
    prepared.push(body)
    bytes += body.length
  }
  return () => prepared.shift() ?? next()
}

function drawExponential(mean: number): number {
  return -mean * Math.log(1 - Math.random())
}
