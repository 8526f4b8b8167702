/**
 * Runs items in batches whose sizes are powers of two, so that a runtime that keeps memory or tuning for
 * each input shape meets a few shapes only. Seven items are a batch of four, one of two and one of one.
 * @param limit - largest batch
 * @param run - gives one result for each item, in order
 */
export async function runInBatches<I, O>(
  items: readonly I[],
  limit: number,
  run: (batch: readonly I[]) => Promise<O[]>,
): Promise<O[]> {
  const results: O[] = []
  while (results.length < items.length) {
    const left = Math.min(items.length - results.length, limit)
    const size = 2 ** Math.floor(Math.log2(left))
    results.push(...(await run(items.slice(results.length, results.length + size))))
  }
  return results
}
