export interface BatcherOptions<I, O> {
  /** Largest batch. */
  maxBatch: number
  /**
   * Milliseconds that an idle batcher waits for announced items. A full batch does not wait, and nothing waits for items that are
   * not announced.
   */
  maxDelayMs: number
  /** Computes one result for each item, in order; one batch at a time. */
  run: (items: I[]) => Promise<O[]>
}

export interface Batcher<I, O> {
  /**
   * Returns the result for one item, computed in a batch with items added around the same time. A promise announces an item that
   * is still being prepared.
   * @throws the abort reason once the item is ready and the signal aborts; a waiting item is then never computed
   * @throws the rejection of the item's promise, or what `run` throws for this item alone
   */
  add: (item: I | Promise<I>, signal?: AbortSignal) => Promise<O>
}

interface Entry<I, O> {
  item: I
  signal: AbortSignal | undefined
  resolve: (result: O) => void
  reject: (error: unknown) => void
}

/**
 * Groups single items into batches. A failed batch is halved until the failing item is alone, so that a bad item, or a batch too
 * large for memory, costs the others only a little time.
 */
export function createBatcher<I, O>(options: BatcherOptions<I, O>): Batcher<I, O> {
  const { maxBatch, maxDelayMs, run } = options
  const waiting = new Set<Entry<I, O>>()
  let announced = 0
  let isRunning = false
  let isScheduled = false
  let delay: NodeJS.Timeout | undefined

  /** Starts after all messages that have arrived are read. */
  function schedule(): void {
    if (isRunning || isScheduled || waiting.size === 0) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      flushUnlessMoreComes()
    })
  }

  function flushUnlessMoreComes(): void {
    if (isRunning || waiting.size === 0) return
    if (announced === 0 || waiting.size >= maxBatch) void flush()
    else delay ??= setTimeout(() => void flush(), maxDelayMs)
  }

  async function flush(): Promise<void> {
    clearTimeout(delay)
    delay = undefined
    const entries = [...waiting].slice(0, maxBatch)
    for (const entry of entries) waiting.delete(entry)
    isRunning = true
    await settle(entries)
    isRunning = false
    schedule()
  }

  async function settle(entries: Entry<I, O>[]): Promise<void> {
    const wanted = entries.filter(({ signal }) => !signal?.aborted)
    if (wanted.length === 0) return
    try {
      const results = await run(wanted.map(({ item }) => item))
      if (results.length !== wanted.length) {
        throw new Error(`a batch of ${wanted.length} gave ${results.length} results`)
      }
      for (const [index, entry] of wanted.entries()) entry.resolve(results[index] as O)
    } catch (error) {
      if (wanted.length === 1) return wanted[0]?.reject(error)
      const half = Math.ceil(wanted.length / 2)
      await settle(wanted.slice(0, half))
      await settle(wanted.slice(half))
    }
  }

  async function arrival(item: Promise<I>): Promise<I> {
    announced += 1
    try {
      return await item
    } finally {
      announced -= 1
      // The ready items may have waited for this one alone.
      schedule()
    }
  }

  return {
    add: async (coming, signal) => {
      const item = coming instanceof Promise ? await arrival(coming) : coming
      signal?.throwIfAborted()
      let leave = () => {}
      try {
        return await new Promise<O>((resolve, reject) => {
          const entry = { item, signal, resolve, reject }
          leave = () => {
            waiting.delete(entry)
            reject(signal?.reason as Error)
          }
          signal?.addEventListener('abort', leave)
          waiting.add(entry)
          schedule()
        })
      } finally {
        signal?.removeEventListener('abort', leave)
      }
    },
  }
}
