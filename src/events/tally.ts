type Key = readonly (string | number)[]

/** Adds up amounts that belong to the same key. */
export class Tally {
  readonly #entries = new Map<string, { key: Key; sums: number[] }>()

  /** @param amounts - as many in every call */
  add(key: Key, amounts: readonly number[]): void {
    const id = key.join('\n')
    const entry = this.#entries.get(id)
    if (!entry) this.#entries.set(id, { key, sums: [...amounts] })
    else amounts.forEach((amount, place) => (entry.sums[place] = (entry.sums[place] ?? 0) + amount))
  }

  get size(): number {
    return this.#entries.size
  }

  /** The columns of each key followed by its sums; keys whose sums are all 0 are left out. */
  rows(): (string | number)[][] {
    return [...this.#entries.values()]
      .filter(({ sums }) => sums.some((sum) => sum !== 0))
      .map(({ key, sums }) => [...key, ...sums])
  }
}
