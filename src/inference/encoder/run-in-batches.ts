/**
 * Runs items in batches whose sizes are powers of two, so that a runtime that keeps memory or tuning for each input shape sees few shapes.
 * Seven items become batches of four, two and one.
 * @param limit - largest batch
 * @param run - returns one result for each item, in order
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
