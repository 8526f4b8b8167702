/** Works on all items, so many at a time; results are in the order of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const rest = items.entries()
  async function next(): Promise<void> {
    for (const [index, item] of rest) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: concurrency }, next))
  return results
}
