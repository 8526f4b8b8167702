export interface BatcherOptions<I, O> {
  /** Largest batch. */
  maxBatch: number
  /**
   * Milliseconds that an idle batcher waits for announced items. A full batch does not wait, and nothing waits for items that are
   * not announced.
   */
  maxDelayMs: number
  /** Batches computed at the same time. Default: 1. */
  concurrency?: number | undefined
  /**
   * Computes one result for each item, in order. The signal aborts when nobody needs any of them.
   */
  run: (items: I[], signal: AbortSignal) => Promise<O[]>
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
  const { maxBatch, maxDelayMs, concurrency = 1, run } = options
  const waiting = new Set<Entry<I, O>>()
  let announced = 0
  let running = 0
  let isScheduled = false
  let delay: NodeJS.Timeout | undefined

  /** Starts after all messages that have arrived are read. */
  function schedule(): void {
    if (running >= concurrency || isScheduled || waiting.size === 0) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      flushUnlessMoreComes()
    })
  }

  function flushUnlessMoreComes(): void {
    if (running >= concurrency || waiting.size === 0) return
    if (announced === 0 || waiting.size >= maxBatch) void flush()
    else delay ??= setTimeout(() => void flush(), maxDelayMs)
  }

  async function flush(): Promise<void> {
    clearTimeout(delay)
    delay = undefined
    const entries = [...waiting].slice(0, maxBatch)
    for (const entry of entries) waiting.delete(entry)
    running += 1
    // What is left need not wait for this batch where several may run.
    schedule()
    await settle(entries)
    running -= 1
    schedule()
  }

  async function settle(entries: Entry<I, O>[]): Promise<void> {
    const wanted = entries.filter(({ signal }) => !signal?.aborted)
    if (wanted.length === 0) return
    const { signal, stopWatching } = abortedByAll(wanted)
    try {
      const results = await run(
        wanted.map(({ item }) => item),
        signal,
      )
      if (results.length !== wanted.length) {
        throw new Error(`a batch of ${wanted.length} gave ${results.length} results`)
      }
      for (const [index, entry] of wanted.entries()) entry.resolve(results[index] as O)
    } catch (error) {
      if (wanted.length === 1) return wanted[0]?.reject(error)
      const half = Math.ceil(wanted.length / 2)
      await settle(wanted.slice(0, half))
      await settle(wanted.slice(half))
    } finally {
      stopWatching()
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

/** A signal that aborts when all entries are aborted; one without a signal never is. */
function abortedByAll(entries: readonly { signal: AbortSignal | undefined }[]) {
  const controller = new AbortController()
  const signals = new Set(entries.map(({ signal }) => signal))
  let left = signals.size
  const onAbort = () => {
    left -= 1
    if (left === 0) controller.abort()
  }
  for (const signal of signals) signal?.addEventListener('abort', onAbort)
  const stopWatching = () => {
    for (const signal of signals) signal?.removeEventListener('abort', onAbort)
  }
  return { signal: controller.signal, stopWatching }
}
