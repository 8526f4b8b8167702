export function drawArrivals(load: { perSecond: number; seconds: number }): number[]
export function callAt<Outcome extends object>(
  times: readonly number[],
  call: () => Promise<Outcome>,
): Promise<(Outcome & { dueMs: number; latencyMs: number })[]>
export function prepareBodies(body: () => unknown, count: number): () => Buffer
