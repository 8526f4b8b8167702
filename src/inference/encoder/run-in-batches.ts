/**
 * Runs items in batches whose sizes are powers of two, so that a runtime that keeps memory or tuning for each input shape sees few shapes.
 * Seven items become batches of four, two and one.
 * @param limit - largest batch
 * @param run - returns one result for each item, in order
 * @param isParallel - whether batches run at the same time, as they do elsewhere than on the cores of this machine
 */
export async function runInBatches<I, O>(
  items: readonly I[],
  limit: number,
  run: (batch: readonly I[]) => Promise<O[]>,
  isParallel = false,
): Promise<O[]> {
  const batches: (readonly I[])[] = []
  for (let start = 0; start < items.length; start += batches.at(-1)!.length) {
    const left = Math.min(items.length - start, limit)
    batches.push(items.slice(start, start + 2 ** Math.floor(Math.log2(left))))
  }
  if (isParallel) return (await Promise.all(batches.map(run))).flat()
  const results: O[] = []
  for (const batch of batches) results.push(...(await run(batch)))
  return results
}
