import { linkAbort } from './linked-abort.js'

/** Computes a value for each input; aborted when no caller waits for any of them. */
export type Compute<I, O> = (
  inputs: ReadonlyMap<string, I>,
  signal: AbortSignal,
) => Promise<Map<string, O>>

export interface SharedWork<I, O> {
  /**
   * Returns a value for each key. Callers that ask for the same key at the same time share one computation; the keys that
   * nobody computes yet are computed in one call.
   * @throws what `compute` threw; the reason of `signal` once it aborts, which costs the other callers nothing
   */
  run(
    inputs: ReadonlyMap<string, I>,
    compute: Compute<I, O>,
    signal: AbortSignal,
  ): Promise<Map<string, O>>
}

interface Batch<O> {
  values: Promise<Map<string, O>>
  /** Callers that wait for any of the values. */
  waiting: number
  abandon(): void
}

export function createSharedWork<I, O>(): SharedWork<I, O> {
  const underWay = new Map<string, Batch<O>>()

  function start(inputs: ReadonlyMap<string, I>, compute: Compute<I, O>): Batch<O> {
    const controller = new AbortController()
    const forget = () => {
      for (const key of inputs.keys()) if (underWay.get(key) === batch) underWay.delete(key)
    }
    const values = compute(inputs, controller.signal).finally(forget)
    const abandon = () => {
      // Later callers must not join work that is being aborted.
      forget()
      controller.abort()
    }
    const batch: Batch<O> = { values, waiting: 0, abandon }
    for (const key of inputs.keys()) underWay.set(key, batch)
    return batch
  }

  return {
    async run(inputs, compute, signal) {
      signal.throwIfAborted()
      const missing = new Map([...inputs].filter(([key]) => !underWay.has(key)))
      if (missing.size > 0) start(missing, compute)
      const batches = new Set([...inputs.keys()].flatMap((key) => underWay.get(key) ?? []))
      for (const batch of batches) batch.waiting++
      try {
        const all = await untilAborted(
          Promise.all([...batches].map(({ values }) => values)),
          signal,
        )
        const values = new Map(all.flatMap((map) => [...map]))
        return new Map([...values].filter(([key]) => inputs.has(key)))
      } finally {
        for (const batch of batches) if (--batch.waiting === 0) batch.abandon()
      }
    },
  }
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const abort = linkAbort(signal)
  try {
    return await new Promise<T>((resolve, reject) => {
      abort.signal.addEventListener('abort', () => reject(signal.reason as Error))
      work.then(resolve, reject)
    })
  } finally {
    abort.unlink()
  }
}
