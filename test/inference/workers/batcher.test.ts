import { createBatcher } from '../../../src/inference/workers/batcher.js'

describe('createBatcher', () => {
  /** Squares numbers. With `held`, a batch runs until the test releases it. */
  function openSquares(options: { maxBatch?: number; maxDelayMs?: number; held?: boolean } = {}) {
    const batches: number[][] = []
    const releases: (() => void)[] = []
    const batcher = createBatcher<number, number>({
      maxBatch: options.maxBatch ?? 8,
      maxDelayMs: options.maxDelayMs ?? 0,
      run: async (items) => {
        batches.push(items)
        if (options.held) await new Promise<void>((resolve) => releases.push(resolve))
        if (items.some((item) => item < 0)) throw new RangeError('negative')
        return items.map((item) => item * item)
      },
    })
    return { batcher, batches, releases }
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve))

  /** A number that resolves later, or never. */
  function createDeferred() {
    let resolve!: (value: number) => void
    const promise = new Promise<number>((settle) => (resolve = settle))
    return { promise, resolve }
  }

  it('computes simultaneous items in one batch and returns each its own result', async () => {
    const { batcher, batches } = openSquares()
    const results = await Promise.all([1, 2, 3].map((item) => batcher.add(item)))
    expect(results).toEqual([1, 4, 9])
    expect(batches).toEqual([[1, 2, 3]])
  })

  it('collects items while a batch runs', async () => {
    const { batcher, batches, releases } = openSquares({ held: true })
    const first = batcher.add(1)
    await turn()
    const second = batcher.add(2)
    await turn()
    const third = batcher.add(3)
    expect(batches).toEqual([[1]])

    releases.shift()?.()
    await first
    await turn()
    releases.shift()?.()

    expect(await Promise.all([second, third])).toEqual([4, 9])
    expect(batches).toEqual([[1], [2, 3]])
  })

  it('never exceeds the largest batch', async () => {
    const { batcher, batches } = openSquares({ maxBatch: 2 })
    await Promise.all([1, 2, 3, 4, 5].map((item) => batcher.add(item)))
    expect(batches).toEqual([[1, 2], [3, 4], [5]])
  })

  it('waits for announced items', async () => {
    const { batcher, batches } = openSquares({ maxDelayMs: 100_000_000 })
    const { promise, resolve } = createDeferred()
    const results = Promise.all([batcher.add(1), batcher.add(promise)])
    await turn()
    await turn()
    expect(batches).toEqual([])

    resolve(2)

    expect(await results).toEqual([1, 4])
    expect(batches).toEqual([[1, 2]])
  })

  it('runs without an announced item that fails', async () => {
    const { batcher, batches } = openSquares({ maxDelayMs: 100_000_000 })
    const failure = batcher.add(Promise.reject(new RangeError('not prepared')))
    const results = await Promise.allSettled([batcher.add(1), failure])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(batches).toEqual([[1]])
  })

  it('waits no longer than maxDelayMs', async () => {
    const { batcher } = openSquares({ maxDelayMs: 20 })
    void batcher.add(createDeferred().promise)
    expect(await batcher.add(1)).toBe(1)
  })

  it('runs a full batch without waiting', async () => {
    const { batcher } = openSquares({ maxBatch: 2, maxDelayMs: 100_000_000 })
    void batcher.add(createDeferred().promise)
    expect(await Promise.all([batcher.add(1), batcher.add(2)])).toEqual([1, 4])
  })

  it('fails only the item that cannot be computed, not its batch', async () => {
    const { batcher } = openSquares()
    const results = await Promise.allSettled([1, 2, -3, 4, 5].map((item) => batcher.add(item)))
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ])
    expect(await batcher.add(6)).toBe(36)
  })

  it('does not retry an item that was aborted before its batch failed', async () => {
    const { batcher, batches, releases } = openSquares({ held: true })
    const controller = new AbortController()
    const left = batcher.add(1, controller.signal)
    const failing = batcher.add(-2)
    await turn()
    controller.abort()
    await expect(left).rejects.toMatchObject({ name: 'AbortError' })

    releases.shift()?.()
    await turn()
    releases.shift()?.()

    await expect(failing).rejects.toBeInstanceOf(RangeError)
    expect(batches).toEqual([[1, -2], [-2]])
  })

  it('fails every item when the number of results is wrong', async () => {
    const batcher = createBatcher<number, number>({
      maxBatch: 4,
      maxDelayMs: 0,
      run: async () => [],
    })
    const results = await Promise.allSettled([batcher.add(1), batcher.add(2)])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })

  it('never computes an item that was aborted while it waited', async () => {
    const { batcher, batches, releases } = openSquares({ held: true })
    const first = batcher.add(1)
    await turn()
    const controller = new AbortController()
    const left = batcher.add(2, controller.signal)
    const stayed = batcher.add(3)

    controller.abort()
    await expect(left).rejects.toMatchObject({ name: 'AbortError' })
    releases.shift()?.()
    await first
    await turn()
    releases.shift()?.()

    expect(await stayed).toBe(9)
    expect(batches).toEqual([[1], [3]])
  })

  it('rejects an aborted item of a running batch at once and finishes the others', async () => {
    const { batcher, releases } = openSquares({ held: true })
    const controller = new AbortController()
    const left = batcher.add(1, controller.signal)
    const stayed = batcher.add(2)
    await turn()

    controller.abort()
    await expect(left).rejects.toMatchObject({ name: 'AbortError' })
    releases.shift()?.()

    expect(await stayed).toBe(4)
  })

  it('refuses an item whose signal is already aborted', async () => {
    const { batcher, batches } = openSquares()
    const left = batcher.add(1, AbortSignal.abort())
    await expect(left).rejects.toMatchObject({ name: 'AbortError' })
    await turn()
    expect(batches).toEqual([])
  })
})
