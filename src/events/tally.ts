type Key = readonly (string | number)[]

/** Sums amounts by key. */
export class Tally {
  readonly #entries = new Map<string, { key: Key; sums: number[] }>()

  /** @param amounts - the same number of amounts in every call */
  add(key: Key, amounts: readonly number[]): void {
    const id = key.join('\n')
    const entry = this.#entries.get(id)
    if (!entry) this.#entries.set(id, { key, sums: [...amounts] })
    else amounts.forEach((amount, index) => (entry.sums[index] = (entry.sums[index] ?? 0) + amount))
  }

  get size(): number {
    return this.#entries.size
  }

  /** The parts of each key followed by its sums. Keys whose sums are all 0 are omitted. */
  rows(): (string | number)[][] {
    return [...this.#entries.values()]
      .filter(({ sums }) => sums.some((sum) => sum !== 0))
      .map(({ key, sums }) => [...key, ...sums])
  }
}
