export interface BatcherOptions<I, O> {
  /** Items that are computed together at most. */
  maxBatch: number
  /**
   * How long an idle batcher waits for more items after the first, in milliseconds. 0: until the messages that have
   * already arrived are read. While a batch runs, items are collected without any wait of their own.
   */
  maxDelayMs: number
  /** Computes one result for each item, in order. One batch runs at a time. */
  run: (items: I[]) => Promise<O[]>
}

export interface Batcher<I, O> {
  /**
   * The result for one item, computed together with those added around the same time.
   * @throws the abort reason as soon as the signal aborts; an item that still waits is then never computed
   * @throws what `run` throws for this item alone
   */
  add: (item: I, signal?: AbortSignal) => Promise<O>
}

interface Entry<I, O> {
  item: I
  signal: AbortSignal | undefined
  resolve: (result: O) => void
  reject: (error: unknown) => void
}

/**
 * Groups single items into batches. A batch that fails is halved until the failing item is alone, so that one
 * item that cannot be computed, or a batch too large for memory, costs the others a little time only.
 */
export function createBatcher<I, O>(options: BatcherOptions<I, O>): Batcher<I, O> {
  const { maxBatch, maxDelayMs, run } = options
  const waiting = new Set<Entry<I, O>>()
  let isRunning = false
  let cancelWait: (() => void) | undefined

  function schedule(): void {
    if (isRunning) return
    if (waiting.size >= maxBatch) return void flush()
    cancelWait ??= waitThen(() => void flush())
  }

  function waitThen(callback: () => void): () => void {
    if (maxDelayMs > 0) {
      const timeout = setTimeout(callback, maxDelayMs)
      return () => clearTimeout(timeout)
    }
    const immediate = setImmediate(callback)
    return () => clearImmediate(immediate)
  }

  async function flush(): Promise<void> {
    cancelWait?.()
    cancelWait = undefined
    isRunning = true
    while (waiting.size > 0) {
      const entries = [...waiting].slice(0, maxBatch)
      for (const entry of entries) waiting.delete(entry)
      await settle(entries)
    }
    isRunning = false
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

  return {
    add: async (item, signal) => {
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
