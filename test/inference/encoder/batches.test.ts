import { findBatchLimit } from '../../../src/inference/encoder/batch-limit.js'
import { runInBatches } from '../../../src/inference/encoder/run-in-batches.js'

describe('runInBatches', () => {
  it.each<[items: number, limit: number, sizes: number[]]>([
    [0, 8, []],
    [1, 8, [1]],
    [7, 8, [4, 2, 1]],
    [8, 8, [8]],
    [21, 8, [8, 8, 4, 1]],
    [7, 6, [4, 2, 1]],
    [3, 1, [1, 1, 1]],
  ])('splits %i items with a limit of %i into batches of %j', async (count, limit, sizes) => {
    const seen: number[] = []
    const items = Array.from({ length: count }, (_, index) => index)

    const results = await runInBatches(items, limit, async (batch) => {
      seen.push(batch.length)
      return batch.map((item) => item * 10)
    })

    expect(seen).toEqual(sizes)
    expect(results).toEqual(items.map((item) => item * 10))
  })
})

describe('findBatchLimit', () => {
  const options = { probe: 1, neighbour: 50, limit: 8 }

  it('returns the given limit when neighbours do not change a row', async () => {
    const limit = await findBatchLimit(
      async (batch) => batch.map((item) => Float32Array.of(item, 2, 3)),
      options,
    )

    expect(limit).toBe(8)
  })

  it('returns 1 when a row depends on the largest value of its batch', async () => {
    const limit = await findBatchLimit(async (batch) => {
      const step = Math.max(...batch) / 127
      return batch.map((item) => Float32Array.of(Math.round(item / step) * step, 0.5))
    }, options)

    expect(limit).toBe(1)
  })

  it('returns 1 when a batch produces NaN', async () => {
    const limit = await findBatchLimit(
      async (batch) => batch.map(() => Float32Array.of(batch.length > 1 ? NaN : 1)),
      options,
    )

    expect(limit).toBe(1)
  })

  it('never runs a batch on a model exported for single items', async () => {
    const sizes: number[] = []

    await findBatchLimit(
      async (batch) => {
        sizes.push(batch.length)
        return batch.map((item) => Float32Array.of(item))
      },
      { ...options, limit: 1 },
    )

    expect(sizes).toEqual([1])
  })
})
