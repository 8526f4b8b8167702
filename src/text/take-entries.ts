/**
 * The first entries of a list that pass, tidied, each once. Looks at no more of them than that takes: a list may hold a
 * hundred, and to judge one takes longer than all the rest.
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
