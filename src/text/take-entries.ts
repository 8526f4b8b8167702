/**
 * The first entries that pass, tidied and without duplicates. Stops at the limit, because `passes` is slow and a list may
 * have a hundred entries.
 */
export function takeEntries(
  entries: readonly string[],
  {
    limit,
    tidy,
    passes,
  }: { limit: number; tidy: (entry: string) => string; passes: (entry: string) => boolean },
): string[] {
  const taken = new Set<string>()
  for (const entry of entries) {
    if (taken.size === limit) break
    const tidied = tidy(entry)
    if (tidied !== '' && !taken.has(tidied) && passes(entry)) taken.add(tidied)
  }
  return [...taken]
}
